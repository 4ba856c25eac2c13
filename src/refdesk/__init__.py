"""refdesk, the reference desk for coding agents: exact, versioned API answers from real packages."""

__version__ = "0.1.0"
