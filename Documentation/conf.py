# SPDX-License-Identifier: GPL-2.0
"""Sphinx configuration of the documentation site; "make htmldocs" builds it."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, 'sphinx'))


def version_of_makefile():
    """The version of rdmafault: the Makefile defines it."""
    with open(os.path.join(HERE, '..', 'Makefile'), encoding='utf-8') as file:
        return re.search(r'^VERSION := (\S+)', file.read(), re.M).group(1)


project = 'rdmafault'
author = 'rdmafault maintainers'
version = release = version_of_makefile()
extensions = ['manpages', 'crosslinks']
root_doc = 'index'
exclude_patterns = ['sphinx']
nitpicky = True
highlight_language = 'none'
smartquotes = False

html_theme = 'alabaster'
html_title = f'rdmafault {version}'
html_static_path = ['sphinx/static']
html_css_files = ['site.css']
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_sidebars = {'**': ['about.html', 'searchbox.html', 'navigation.html']}
html_theme_options = {
    'description': 'Fault injection for single RoCEv2 packets',
    'fixed_sidebar': True,
    'sidebar_collapse': True,
    'page_width': '72rem',
    'sidebar_width': '15rem',
    'font_family': 'system-ui, sans-serif',
    'head_font_family': 'system-ui, sans-serif',
    'code_font_family': 'ui-monospace, monospace',
}
