"""Puts hostile archives into a repository: `borg import-tar` of tars made here, in one process.

Standard input is JSON: {"repository", "folder", "archives": [{"name", "entries": [...]}]}. Names are bytes as latin1. An
entry with "raw" gets that path after the tool has made its own path safe, as in a repository that somebody else wrote;
one with "damaged" is what the tool leaves after a repair.
"""
import json, os, sys, tarfile
from borg import archive as borg_archive
from borg.archiver import Archiver

types = {'file': tarfile.REGTYPE, 'directory': tarfile.DIRTYPE, 'symlink': tarfile.SYMTYPE,
         'hardlink': tarfile.LNKTYPE, 'fifo': tarfile.FIFOTYPE, 'device': tarfile.CHRTYPE}
plan = json.load(sys.stdin)
text = lambda name: os.fsdecode(name.encode('latin1'))
special = {}

add_item = borg_archive.Archive.add_item
def add(self, item, *words, **more):
    entry = special.get(item.path)
    if entry:
        item.path = text(entry['path'])
        if entry.get('damaged'):
            item.chunks_healthy = item.chunks
    return add_item(self, item, *words, **more)
borg_archive.Archive.add_item = add

class Zeros:
    def read(self, size): return b'\0' * size

def write_tar(path, entries):
    special.clear()
    with tarfile.open(path, 'w', format=tarfile.PAX_FORMAT) as tar:
        for number, entry in enumerate(entries):
            member = tarfile.TarInfo(text(entry['path']))
            if entry.get('raw') or entry.get('damaged'):
                member.name = f'special-{number}'
                special[member.name] = entry
            member.type = types[entry['type']]
            member.mode = entry.get('mode', 0o755 if entry['type'] == 'directory' else 0o644)
            member.linkname = text(entry.get('target', ''))
            member.mtime = 1700000000
            content = entry.get('content', '').encode('latin1')
            member.size = entry.get('zeros', len(content)) if member.isreg() else 0
            source = Zeros() if 'zeros' in entry else __import__('io').BytesIO(content)
            tar.addfile(member, source if member.isreg() else None)

archiver = Archiver()
if archiver.run(archiver.parse_args(['init', '--encryption=none', plan['repository']])) != 0:
    sys.exit('borg init failed')
for each in plan['archives']:
    tar = os.path.join(plan['folder'], 'hostile.tar')
    write_tar(tar, each['entries'])
    words = ['import-tar', f"{plan['repository']}::{each['name']}", tar]
    code = archiver.run(archiver.parse_args(words))
    if code not in (0, 1): sys.exit(f'borg import-tar ended with {code}')
    os.remove(tar)
