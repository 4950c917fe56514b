"""The board in the browser: server, sessions, engine processes, search trees."""
