"""`boomslang label`, and the formats that it writes."""
