"""Many pieces of work at once: on the processors of this computer, or on a cluster of several."""
