"""The documentation site: what MkDocs needs beyond the pages of docs/.

`hooks.py` is called by MkDocs; `pages.py` knows where a file of the repository is on the site;
`reference.py` writes the pages of commands and settings; `check.py` looks at the built site.
"""
