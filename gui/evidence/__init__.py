"""Measured against estimated: what the estimates are worth, for runs like the customer's."""
