"""Move-path counts and their test suites."""
