import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentOf, makeRemarkable } from '../trees.js';
import type { TestSshd } from './sshd.js';

/** Times, owners and attributes that Node can't set. */
const touches = `
import os, sys
top, uid = sys.argv[1], int(sys.argv[2])
for folder, folders, files in os.walk(top, topdown=False):
    for name in folders + files:
        path = os.path.join(folder, name)
        os.lchown(path, uid, uid)
        # In the middle of a microsecond: a tar stream's times are decimal fractions, which borg rounds.
        os.utime(path, ns=(0, os.lstat(path).st_mtime_ns // 1000 * 1000 + 500), follow_symlinks=False)
os.lchown(top, uid, uid)
at = lambda *names: os.path.join(top, *names)
os.lchown(at('of-another'), 54321, 54322)
os.chmod(at('runs'), 0o4755)
os.chmod(at('private'), 0o600)
os.chmod(at('sticky'), 0o1777)
os.setxattr(at('private'), 'user.holdfast', b'a value\\0with a zero')
os.setxattr(at('sticky'), 'user.folder', b'x')
for n, name in enumerate(('private', 'runs', 'old', 'pipe', 'sticky', 'to-nowhere')):
    os.utime(at(name), ns=(0, 1234567890123456789 + n * 1001), follow_symlinks=False)
os.utime(at('old'), ns=(0, 86400 * 10**9 + 7000))
os.utime(top, ns=(0, 1500000000987654321))
`;

/** One of every kind of file, owned by the account of the host, with times to the nanosecond. */
export function makeSourceTree(sshd: TestSshd, ...parts: string[]): string {
  const top = sshd.ownFolder(...parts);
  const at = (...names: string[]) => join(top, ...names);
  makeRemarkable(at('remarkable'));
  for (const name of ['private', 'runs', 'old', 'of-another'])
    writeFileSync(at(name), contentOf(name, 5_000));
  writeFileSync(at('empty'), '');
  mkdirSync(at('sticky'));
  mkdirSync(at('d'.repeat(120), 'e'.repeat(120)), { recursive: true });
  writeFileSync(at('d'.repeat(120), 'e'.repeat(120), 'f'.repeat(120)), 'deep');
  linkSync(at('private'), at('sticky', 'another-name'));
  symlinkSync('sticky/another-name', at('relative'));
  symlinkSync('/etc/hostname', at('absolute'));
  symlinkSync('no/such/file', at('to-nowhere'));
  symlinkSync('sticky', at('to-a-folder'));
  execFileSync('mkfifo', ['-m', '640', at('pipe')]);
  execFileSync('python3', ['-c', touches, top, `${sshd.account.uid}`]);
  return top;
}
