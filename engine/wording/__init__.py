"""Words and number formats for screen, paper and command line. Pure: translations are handed in, nothing is read."""
