"""Learning the numbers of the evaluation from games."""
