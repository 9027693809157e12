"""Is everything documented, and is what the documents say true? Tests of the documentation."""
