"""The engine on AWS: tables are the truth, queues and Step Functions are wake-ups and clocks around them."""
