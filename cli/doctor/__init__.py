"""Is everything in place? What `boomslang doctor` looks at."""
