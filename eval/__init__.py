"""The jitted evaluation."""
