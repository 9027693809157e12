"""The guided walk from nothing to the first answered mail: its steps, which the terminal and the dashboard share."""
