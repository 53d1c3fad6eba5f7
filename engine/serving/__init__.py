"""Serving a finished model: memory, speed, layouts, and how it shares a machine with training."""
