# SPDX-License-Identifier: GPL-2.0
"""Read man pages as documents of the site.

mandoc(1) converts a page to HTML. Each section of the page becomes a section of the
document, so that the table of contents and the search show sections of man pages.
"""
import html
import os
import re
import subprocess

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.parsers import Parser

SECTION = re.compile(r'<section class="Sh">\n<h1 class="Sh" id="([^"]+)">(.*?)</h1>\n(.*?)</section>\n'
                     r'(?=<section class="Sh">|</div>)', re.S)
SUFFIXES = ('.1', '.5', '.7', '.8')


def page_html(path):
    """PATH in HTML. Links to other man pages have the form man:NAME(SECTION)."""
    try:
        run = subprocess.run(['mandoc', '-T', 'html', '-O', 'fragment,man=man:%N(%S)', path],
                             check=True, capture_output=True, encoding='utf-8')
    except (OSError, subprocess.CalledProcessError) as error:
        raise ExtensionError(f'{path}: mandoc cannot convert it: {error}') from error
    return run.stdout


def linked(text, folder):
    """TEXT with links to the man pages in FOLDER, and without links to foreign pages."""
    def link(match):
        name, section, words = match.groups()
        if os.path.exists(os.path.join(folder, f'{name}.{section}')):
            return f'<a class="Xr" href="{name}.html">{words}</a>'
        return f'<span class="Xr">{words}</span>'
    return re.sub(r'<a class="Xr" href="man:([^"(]+)\((\d)\)">(.*?)</a>', link, text, flags=re.S)


class ManPage(Parser):
    """Parser of mdoc(7) and man(7)."""
    supported = ('man',)

    def parse(self, inputstring, document):
        path = document.current_source
        stem, number = os.path.basename(path).rsplit('.', 1)
        page = nodes.section(ids=['page'], names=['page'])
        page += nodes.title('', f'{stem}({number})')
        sections = SECTION.findall(linked(page_html(path), os.path.dirname(path)))
        if not sections:
            raise ExtensionError(f'{path}: mandoc printed no section')
        for anchor, title, body in sections:
            title = html.unescape(re.sub(r'<[^>]*>', '', title))
            section = nodes.section(ids=[anchor], names=[title.lower()])
            section += nodes.title('', title)
            section += nodes.raw('', f'<div class="manual">{body}</div>', format='html')
            page += section
        document += page


def setup(app):
    """Register the parser for the suffixes of man pages."""
    for suffix in SUFFIXES:
        app.add_source_suffix(suffix, 'man')
    app.add_source_parser(ManPage)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
