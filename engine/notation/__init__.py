"""The door for chess in text: PGN, FEN and EPD of strangers, put in order before anybody trusts them."""
