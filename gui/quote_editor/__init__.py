"""The editor of a proposal's positions, texts and terms."""
