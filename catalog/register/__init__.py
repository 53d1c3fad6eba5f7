"""The register of issued documents: numbers without gaps, revisions with their PDF, states, follow-up, erasure.

`settings.open_register` opens it, `issuing` makes and stores documents, `Register` answers everything else.
"""
