"""The window's side of the register: issue documents, find them again, keep their state. Built by `RegisterDesk`."""
