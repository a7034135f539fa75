import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Reads borg's own words on stdin and groups them: folder and names as bytes in hexadecimal. */
const grouping = `
import json, sys
text = sys.stdin.buffer.read().decode('unicode_escape')
kinds = {'d': 'directory', '-': 'file', 'l': 'symlink'}
folders = {'': {}}
for row in text.split('\\0')[:-1]:
    kind, size, path = row.split(' ', 2)
    path = path.encode('utf-8', 'surrogateescape')
    what = kinds.get(kind, 'other')
    folder, _, name = path.rpartition(b'/')
    known = folder.hex() in folders
    folders.setdefault(folder.hex(), {})[name.hex()] = what + ' ' + size if what == 'file' else what
    while not known:
        folder, _, name = folder.rpartition(b'/')
        known = folder.hex() in folders
        folders.setdefault(folder.hex(), {}).setdefault(name.hex(), 'directory')
    if what == 'directory':
        folders.setdefault(path.hex(), {})
json.dump(folders, sys.stdout)
`;

/** Each folder of an archive as bare borg lists it: path, and names with their kind and, of files, size. */
export async function foldersByBorg(
  repository: string,
  archive: string,
  base: string,
): Promise<Record<string, Record<string, string>>> {
  const list = `borg list --format '{type} {size} {bpath}{NUL}' "$0::$1" | python3 -c "$2"`;
  const { stdout } = await run('bash', ['-o', 'pipefail', '-c', list, repository, archive, grouping], {
    env: {
      PATH: process.env.PATH,
      HOME: base,
      BORG_BASE_DIR: base,
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
      PYTHONIOENCODING: 'unicode_escape',
    },
    maxBuffer: 256 << 20,
  });
  return JSON.parse(stdout);
}

/** A name of the interface as bytes in hexadecimal, and back: what is no UTF-8 stands in it as `\\udcXX`. */
export const hexOf = (name: string, isEscaped: boolean): string => {
  if (!isEscaped) return Buffer.from(name).toString('hex');
  const parts = name.split(/(\\udc[0-9a-f]{2})/);
  return parts
    .map((part) => (/^\\udc..$/.test(part) ? part.slice(-2) : Buffer.from(part).toString('hex')))
    .join('');
};

export function nameOf(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const text = bytes.toString();
  if (Buffer.from(text).equals(bytes)) return text;
  return [...bytes.toString('latin1')]
    .map((byte) => (byte < '\x80' ? byte : `\\udc${byte.charCodeAt(0).toString(16)}`))
    .join('');
}
