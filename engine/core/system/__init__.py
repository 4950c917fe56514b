"""What the engine asks of the machine: the compiler, the kernel cache, files, processes, memory."""
