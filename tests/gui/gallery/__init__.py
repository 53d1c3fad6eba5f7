"""Every window, page, view, dialog and menu of the program, shown, photographed and examined."""
