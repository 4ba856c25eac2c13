"""Packs as files: one immutable SQLite file for each release."""
