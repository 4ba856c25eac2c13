"""Embedders: one module for each model."""
