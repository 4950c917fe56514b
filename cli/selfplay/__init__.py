"""What the commands that let the engine play itself share."""
