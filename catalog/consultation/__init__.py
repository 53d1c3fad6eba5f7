"""The consultation file (`.passform.yaml`): what was asked, for whom, under which limits.

`files.read` and `files.write` move it from and to disk, `document` is its shape, `scenario.to_scenario` hands it to
the engine.
"""
