"""Dialogs: about, help, tour, find, recovery."""
