import { execFileSync } from 'node:child_process';

export interface EntryFacts {
  mode: string;
  uid: number;
  gid: number;
  /** Nanoseconds since the epoch, as a text. */
  mtime: string;
  content?: string;
  target?: string;
  /** The first name of the same file, where it has several. */
  same?: string;
  xattrs: Record<string, string>;
}

/** Python tells what Node does not: extended attributes, and names as bytes (`\xff` is written `\udcff`). */
const script = `
import hashlib, json, os, stat, sys
top, facts, inodes = sys.argv[1], {}, {}
def look(path):
    state = os.lstat(path)
    fact = {'mode': oct(state.st_mode), 'uid': state.st_uid, 'gid': state.st_gid, 'mtime': str(state.st_mtime_ns)}
    fact['xattrs'] = {name: os.getxattr(path, name, follow_symlinks=False).hex()
        for name in os.listxattr(path, follow_symlinks=False) if name.startswith('user.')}
    if stat.S_ISREG(state.st_mode):
        fact['content'] = hashlib.sha256(open(path, 'rb').read()).hexdigest()
    if stat.S_ISLNK(state.st_mode):
        fact['target'] = os.readlink(path)
    name = os.path.relpath(path, top)
    if state.st_nlink > 1 and not stat.S_ISDIR(state.st_mode):
        fact['same'] = inodes.setdefault(state.st_ino, name)
    facts[name] = fact
look(top)
for folder, folders, files in os.walk(top):
    folders.sort()
    for name in sorted(folders + files):
        look(os.path.join(folder, name))
print(json.dumps(facts))
`;

/** Everything that a backup should keep of a tree, by the path relative to `top`. */
export function treeFacts(top: string): Record<string, EntryFacts> {
  const output = execFileSync('python3', ['-c', script, top], { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(output.toString('utf8'));
}

/** The same, without what the tar format does not carry: extended attributes, and less than a microsecond. */
export function asTarKeeps(facts: Record<string, EntryFacts>): Record<string, EntryFacts> {
  const kept = ([name, fact]: [string, EntryFacts]) => [
    name,
    { ...fact, mtime: `${BigInt(fact.mtime) / 1000n}`, xattrs: {} },
  ];
  return Object.fromEntries(Object.entries(facts).map((entry) => kept(entry as [string, EntryFacts])));
}
