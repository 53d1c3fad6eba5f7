"""The paper: a finished quote as PDF, drawn by reportlab. Import it only when a paper is asked for."""
