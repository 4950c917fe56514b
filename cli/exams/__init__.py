"""Exams of networks: positions with scores of a better judge, and how a network's judgement compares."""
