"""Question in, ranked evidence out: plan, candidates, fuse, boost, pack, with a trace of why. `search` says how."""
