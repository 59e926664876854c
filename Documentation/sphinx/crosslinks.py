# SPDX-License-Identifier: GPL-2.0
"""Make links of the names of documents and man pages.

The documents name other documents and man pages as plain text (link.rst,
rdmafault-rule(8)), which is also readable in the sources. On the site, each of these
names becomes a link. A link to the file of a document, `words <link.rst>`_, which works
on a code host, becomes a link to its page.
"""
import os
import re

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.transforms import SphinxTransform

NAME = re.compile(r'(?<![\w/.-])(?P<path>(?:\.\./)?[\w/-][\w/.-]*)\.rst\b|'
                  r'\b(?P<page>[a-z][\w-]*)\((?P<section>[1-8])\)')

FILE = re.compile(r'(?P<path>[\w./-]+)\.rst')
# The nodes in which a name stays plain text
NOT_LINKED = (nodes.literal, nodes.literal_block, nodes.title, nodes.reference, nodes.raw,
              nodes.comment, pending_xref)


class CrossLinks(SphinxTransform):
    """Replace names in the text by links."""
    default_priority = 500

    def page_of(self, name, section):
        """The document of the man page NAME(SECTION), or None."""
        path = os.path.join(self.env.srcdir, 'man', f'{name}.{section}')
        return f'man/{name}' if os.path.exists(path) else None

    def document_of(self, path):
        """The document in the file PATH.rst, or None."""
        named = path.removeprefix('Documentation/')
        for folder in (os.path.dirname(self.env.docname), '', 'labs'):
            found = os.path.normpath(os.path.join(folder, named))
            if found in self.env.found_docs:
                return found
        return None

    def link_to(self, document, words, explicit):
        """A link to DOCUMENT with its title as text, or with WORDS if EXPLICIT."""
        return pending_xref('', nodes.inline('', words), refdoc=self.env.docname,
                            refdomain='std', reftype='doc', reftarget='/' + document,
                            refexplicit=explicit, refwarn=True)

    def pieces(self, text):
        """TEXT as a list of nodes, with links to the documents that it names."""
        done = 0
        for match in NAME.finditer(text):
            target = (self.page_of(match['page'], match['section']) if match['page'] else
                      self.document_of(match['path']))
            if target is None or target == self.env.docname:
                continue
            yield nodes.Text(text[done:match.start()])
            yield self.link_to(target, match.group(), bool(match['page']))
            done = match.end()
        yield nodes.Text(text[done:])

    def apply(self):
        for node in list(self.document.findall(nodes.reference)):
            target = FILE.fullmatch(node.get('refuri', ''))
            target = target and self.document_of(target['path'])
            if target:
                node.parent.replace(node, self.link_to(target, node.astext(), True))
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
