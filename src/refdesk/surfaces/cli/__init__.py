"""The command line: the same operations as the tools, made from the same descriptors."""
