"""What the command line does: ids and files in, text or JSON out. `main.py` only parses and delegates.

Every command returns its exit code: 0 done, 1 nothing fits or a check failed. Bad input raises `PassformError`.
"""
