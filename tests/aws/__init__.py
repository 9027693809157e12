"""What is special to the AWS engine, and the local server that it is tested against."""
