"""What a person can do to jobs, mails, lanes, projects and addresses: the same from every face."""
