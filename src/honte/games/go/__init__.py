"""Go from 2×2 to 19×19, area scoring."""
