"""Reads resellers' price lists: file to cells, cells to columns, rows to catalogue ids, and only then to own prices.

`preview.read_list` shows what a list would do, `apply.apply` does it, `apply.undo` takes it back.
"""
