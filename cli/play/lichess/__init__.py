"""Provider of the external engine protocol of lichess.org."""
