"""The engine on AWS: tables are the truth, queues and Step Functions are doorbells and clocks around them."""
