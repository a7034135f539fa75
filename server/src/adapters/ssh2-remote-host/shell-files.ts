import type { RemoteEntry } from '@holdfast/core/server';
import { nameOfBytes } from '@holdfast/plugin-api/driver';
import type { Connection } from './connection.js';
import { toEntry } from './entries.js';
import { runScript } from './execute.js';
import { commandFailure } from './failures.js';
import { mostEntries } from './limits.js';
import { tooManyEntries } from './sftp.js';
import { noFolder } from './sftp-files.js';

const step = 'list the folder';
const missing = 40;
const closed = 41;

/**
 * For each file: a letter for its type, its name, NUL. After one more NUL, `mode size mtime` of each in the
 * same order, if the host supports `stat -c`. A pattern without a match is passed literally and is skipped.
 */
const list = `
facts() {
  for f do
    if [ -h "$f" ]; then t=l; elif [ -d "$f" ]; then t=d; elif [ -f "$f" ]; then t=f
    elif [ -e "$f" ]; then t=o; else continue; fi
    printf '%s%s\\0' "$t" "$f"
  done
  printf '\\0'
  stat -c '%f %s %Y' -- "$@" 2>/dev/null
  exit 0
}
[ -d "$1" ] || exit ${missing}
cd -- "$1" && [ -r . ] || exit ${closed}
facts * .[!.]* ..?*`;

/** Uses the shell of the account, for hosts without SFTP. */
export async function listByShell(connection: Connection, path: string): Promise<RemoteEntry[]> {
  const { code, output, stderr } = await runScript(connection, { step, text: list, parameters: [path] });
  if (code === missing) throw noFolder(path);
  if (code === closed) throw commandFailure(step, `${path}: Permission denied`);
  if (code !== 0) throw commandFailure(step, stderr);
  const entries = parseFacts(output);
  if (entries.length > mostEntries) throw tooManyEntries();
  return entries;
}

const typeBits: Record<string, number> = { l: 0o120000, d: 0o040000, f: 0o100000 };

function parseFacts(output: Buffer): RemoteEntry[] {
  const found: { type: string; name: string }[] = [];
  let at = 0;
  for (let stop = output.indexOf(0, at); stop > at; stop = output.indexOf(0, at)) {
    const name = nameOfBytes(output.subarray(at + 1, stop));
    found.push({ type: String.fromCharCode(output[at] ?? 0), name });
    at = stop + 1;
  }
  const details = linesOf(output.subarray(at + 1));
  const complete = details.length === found.length;
  return found.map(({ type, name }, index) =>
    complete ? toEntry(name, parseDetail(details[index] ?? '')) : onlyTyped(name, type),
  );
}

const linesOf = (bytes: Buffer) => bytes.toString('latin1').split('\n').filter(Boolean);

function parseDetail(line: string) {
  const [mode = '', size, mtime] = line.split(' ');
  return { mode: Number.parseInt(mode, 16), size: Number(size), mtime: Number(mtime) };
}

const onlyTyped = (name: string, type: string): RemoteEntry => ({
  ...toEntry(name, { mode: typeBits[type], size: undefined, mtime: undefined }),
  mode: null,
});
