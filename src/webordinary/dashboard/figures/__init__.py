"""The figures of an installation, as Prometheus reads them: right across processes and restarts, cheap at any age."""
