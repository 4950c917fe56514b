"""The jitted rules of chess: bitboards, move generation, making moves."""
