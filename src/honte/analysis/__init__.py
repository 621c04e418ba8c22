"""Reviews of games, shared by the command line and the page."""
