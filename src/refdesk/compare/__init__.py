"""Two releases in, changes out. Pure."""
