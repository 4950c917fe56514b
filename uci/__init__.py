"""What a person or a GUI talks to: protocols and the command line."""
