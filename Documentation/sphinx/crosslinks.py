# SPDX-License-Identifier: GPL-2.0
"""Make links of the names of documents and man pages.

The documents name other documents and man pages as plain text (link.rst,
rdmafault-rule(8)), which is also readable in the sources. On the site, each of these
names becomes a link.
"""
import os
import re

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.transforms import SphinxTransform

NAME = re.compile(r'(?<![\w/.-])(?P<path>(?:\.\./)?[\w/-]+)\.rst\b|'
                  r'\b(?P<page>[a-z][\w-]*)\((?P<section>[1-8])\)')

# The nodes in which a name stays plain text
NOT_LINKED = (nodes.literal, nodes.literal_block, nodes.title, nodes.reference, nodes.raw,
              nodes.comment, pending_xref)


class CrossLinks(SphinxTransform):
    """Replace names in the text by links."""
    default_priority = 500

    def document_of(self, match):
        """The document that MATCH names, or None."""
        if match['page']:
            found = f'man/{match["page"]}'
            suffix = f'.{match["section"]}'
            path = os.path.join(self.env.srcdir, found + suffix)
            return found if os.path.exists(path) else None
        named = match['path'].removeprefix('Documentation/')
        for folder in (os.path.dirname(self.env.docname), '', 'labs'):
            found = os.path.normpath(os.path.join(folder, named))
            if found in self.env.found_docs:
                return found
        return None

    def pieces(self, text):
        """TEXT as a list of nodes, with links to the documents that it names."""
        done = 0
        for match in NAME.finditer(text):
            target = self.document_of(match)
            if target is None or target == self.env.docname:
                continue
            yield nodes.Text(text[done:match.start()])
            yield pending_xref('', nodes.inline('', match.group()), refdoc=self.env.docname,
                               refdomain='std', reftype='doc', reftarget='/' + target,
                               refexplicit=bool(match['page']), refwarn=True)
            done = match.end()
        yield nodes.Text(text[done:])

    def apply(self):
        for node in list(self.document.findall(nodes.Text)):
            if isinstance(node.parent, nodes.literal) and NAME.fullmatch(node):
                node = node.parent
            parent = node.parent
            while parent is not None and not isinstance(parent, NOT_LINKED):
                parent = parent.parent
            if parent is None and NAME.search(node.astext()):
                node.parent.replace(node, list(self.pieces(node.astext())))


def setup(app):
    """Register the transform."""
    app.add_transform(CrossLinks)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
