"""Searches: a `Limit` goes in, a `Report` comes out."""
