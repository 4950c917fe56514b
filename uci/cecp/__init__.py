"""The Chess Engine Communication Protocol, version 2, as XBoard and WinBoard speak it."""
