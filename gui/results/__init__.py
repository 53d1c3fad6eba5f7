"""The views of the results page."""
