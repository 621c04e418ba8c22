"""The page: a server on loopback, engines in worker processes, plain ES modules in page/."""
