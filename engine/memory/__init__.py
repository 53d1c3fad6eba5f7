"""What one training step needs, in whole bytes per card. Enter through `engine.memory.estimate`."""
