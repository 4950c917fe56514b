"""The operating system: files, processes, signals, threads, and text that is safe to show."""
