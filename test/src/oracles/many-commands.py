"""Runs Borg once for each list of words in the standard input: it takes longer to start than to make a small archive."""
import json
import os
import sys

from borg.archiver import Archiver

os.fsync = os.fdatasync = lambda file: None
for words in json.load(sys.stdin):
    tool = Archiver()
    tool.prerun_checks = lambda *_: None
    code = tool.run(tool.parse_args(words))
    if code != 0:
        sys.exit(f'{words} ended with {code}')
