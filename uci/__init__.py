"""The protocols for chess programs: UCI and CECP."""
