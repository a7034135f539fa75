import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { isTerminal } from './actions.js';
import type { Answer, Api } from './api.js';
import { waitFor } from './wait-for.js';

export const restoreJob = async (api: Api, id: number) => (await api.get(`/api/restore/status/${id}`)).body;

export function endedRestore(api: Api, started: Answer): Promise<Answer['body']> {
  expect(started.text).toContain('"job_id"');
  return restoreEnd(api, started.body.job_id);
}

export function restoreEnd(api: Api, id: number): Promise<Answer['body']> {
  const look = async () => {
    const job = await restoreJob(api, id);
    return isTerminal(job) && job;
  };
  return waitFor(look, { what: `the end of restore ${id}`, timeoutMs: 60_000 });
}

/** Everything that a file system tells of a tree, one line an entry; hard links by the names that share an inode. */
export function snapshot(folder: string): string[] {
  const script = `
import os, stat, hashlib, json
root = os.fsencode(${JSON.stringify(folder)})
names, lines = {}, []
def visit(path):
    s = os.lstat(path)
    rel = os.fsdecode(path[len(root):])
    kind = stat.S_IFMT(s.st_mode)
    extra = ''
    if kind == stat.S_IFLNK: extra = os.fsdecode(os.readlink(path))
    if kind == stat.S_IFREG: extra = hashlib.sha256(open(path, 'rb').read()).hexdigest()
    attributes = {name: os.getxattr(path, name, follow_symlinks=False).hex() for name in os.listxattr(path, follow_symlinks=False)}
    first = names.setdefault(s.st_ino, rel) if kind != stat.S_IFDIR else rel
    size = s.st_size if kind != stat.S_IFDIR else 0
    lines.append(json.dumps([rel, first, oct(s.st_mode), s.st_uid, s.st_gid, s.st_mtime_ns, size, extra, attributes], sort_keys=True))
    if kind == stat.S_IFDIR:
        for name in sorted(os.listdir(path)): visit(path + b'/' + name)
for name in sorted(os.listdir(root)): visit(root + b'/' + name)
print('\\n'.join(lines))
`;
  return execFileSync('python3', ['-c', script], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .trim()
    .split('\n');
}

/** Attributes that only few programs set: owner, modes, a fifo, times with nanoseconds, extended attributes, an ACL. */
export function addAttributes(folder: string): void {
  const script = `
import errno, os, struct
root = ${JSON.stringify(folder)}
os.mkfifo(root + '/pipe', 0o640)
os.symlink('/etc/hostname', root + '/absolute-link')
os.mkdir(root + '/closed', 0o755)
open(root + '/closed/inner', 'w').write('inner')
os.setxattr(root + '/closed/inner', 'user.note', b'kept')
open(root + '/shared', 'w').write('shared')
acl = struct.pack('<I', 2) + b''.join(struct.pack('<HHI', *entry) for entry in
    [(1, 6, 2**32 - 1), (2, 4, 1234), (4, 4, 2**32 - 1), (16, 4, 2**32 - 1), (32, 0, 2**32 - 1)])
try: os.setxattr(root + '/shared', 'system.posix_acl_access', acl)
except OSError as error:
    if error.errno != errno.ENOTSUP: raise
os.chmod(root + '/closed/inner', 0o4751)
if os.geteuid() == 0: os.chown(root + '/closed/inner', 1234, 4321); os.chmod(root + '/closed/inner', 0o4751)
os.utime(root + '/closed/inner', ns=(1234567890123456789, 1234567890987654321))
os.utime(root + '/closed', ns=(1, 1000000000000000007))
os.chmod(root + '/closed', 0o555)
`;
  execFileSync('python3', ['-c', script]);
}

/** Name, size and content: the attributes of directories that were there are their own. */
export const contentOnly = (line: string): string => {
  const [name, , , , , , size, content] = JSON.parse(line) as unknown[];
  return JSON.stringify([name, size, content]);
};
