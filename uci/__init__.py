"""What chess programs talk to: the protocols, UCI and CECP."""
