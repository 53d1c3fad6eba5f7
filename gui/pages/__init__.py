"""The pages in the middle of the window, one per step."""
