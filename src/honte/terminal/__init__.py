"""The board in a terminal: line by line, or full screen with keys."""
