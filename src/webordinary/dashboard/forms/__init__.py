"""Forms that change the configuration: what was typed is checked, shown as a change, and only then written."""
