"""The finished PDF as pictures of its pages."""
