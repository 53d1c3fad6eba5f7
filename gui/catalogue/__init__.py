"""The catalogue's window: facts with their sources, own prices and entries, price lists, updates, versions."""
