"""The hand-made evaluation."""
