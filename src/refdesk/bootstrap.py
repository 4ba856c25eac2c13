"""Placeholder until the wiring lands."""
