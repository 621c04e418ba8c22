"""The page: a server on loopback, engines in processes of their own, and the page itself."""
