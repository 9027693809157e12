"""The machinery under the ports: one package per engine."""
