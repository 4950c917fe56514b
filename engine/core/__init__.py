"""The foundation of all other packages: the rules of chess, and access to the system."""
