from . import divide as divide
