"""Parallel work: on the processors of this computer, or on a cluster of several computers."""
