"""Measurements on real data. `python -m bench` lists them; each prints machine, command and counts."""
