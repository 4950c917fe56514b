"""Access to the system: the compiler, the kernel cache, files, processes, memory."""
