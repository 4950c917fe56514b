"""Opening books in the Polyglot format: reading and building."""
