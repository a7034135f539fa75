"""Makes an archive whose files say that they have 10 bytes: sys.argv is borg's; TIMES repeats the chunks of `liar`."""
import os
import sys

import borg.archive
from borg.archiver import main

add_item = borg.archive.Archive.add_item


def forged(self, item, *args, **kwargs):
    if item.path.endswith('liar') and 'chunks' in item:
        item.chunks = list(item.chunks) * int(os.environ['TIMES'])
        item.size = 10
    return add_item(self, item, *args, **kwargs)


borg.archive.Archive.add_item = forged
sys.argv[0] = 'borg'
main()
