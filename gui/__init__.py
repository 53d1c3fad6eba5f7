"""The window: shows what the engine says and computes nothing."""
