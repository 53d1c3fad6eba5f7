"""What a proposal says: parties, positions, sums and their grounds. No layout and no sentences."""
