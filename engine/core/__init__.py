"""Rules of chess and access to the system: what everything else stands on."""
