"""The calculation: pure functions over typed facts. No Qt, no files, no clock, no network."""
