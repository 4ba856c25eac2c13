"""Values and rules: versions, ids, symbols, errors, budget, text. No input or output, no clock, no randomness."""
