from . import wdl as wdl
