# SPDX-License-Identifier: GPL-2.0
"""Usage: schema.py SCHEMA FILE

Print one line per violation of a JSON schema in a JSON file."""
import json
import sys

import jsonschema

with open(sys.argv[1], encoding='utf-8') as f:
    validator = jsonschema.Draft202012Validator(json.load(f))
with open(sys.argv[2], encoding='utf-8') as f:
    for error in list(validator.iter_errors(json.load(f)))[:20]:
        print('/'.join(map(str, error.path)), error.message[:200])
