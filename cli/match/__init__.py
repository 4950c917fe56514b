"""Games between two engines, whatever they are: what `boomslang match` plays, counts and keeps."""
