"""`boomslang exercises`, in the terminal."""
