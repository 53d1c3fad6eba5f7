"""Pictures as plain data: rectangles, lines and labels with colour keys, drawn alike on screen and on paper.

Coordinates run right and down from the top left corner, in the caller's unit (pixels on screen, points on paper).
Words and number formats are handed in; nothing here knows a language, Qt or reportlab.
"""
