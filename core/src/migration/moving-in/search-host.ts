import { nameOfBytes } from '@holdfast/plugin-api/driver';
import { atMost, isRemoteHostError, notFound, say } from '../../foundation/kernel/index.js';
import type { RemoteAccount, RemoteEntry, RemoteHost } from '../../foundation/ports/remote-host.js';
import { mayBeRepository, mostOfFile, recognise } from './recognise.rules.js';
import { type FoundRepository, isOver, isWithin, type WalkLimits, type WalkTally } from './walk.rules.js';

/**
 * Prints, with a NUL after each: `f`, path, seconds, `d` or nothing, config, README of each folder that may be a
 * repository; `m` when the root is missing; `e` at the end, without which the host does not run this.
 */
const script = `
[ -d "$1" ] || { printf 'm\\0e\\0'; exit 0; }
LC_ALL=C nice -n 19 find "$1" -maxdepth "$2" '(' -path /proc -o -path /sys -o -path /dev ')' -prune -o -type f '(' -name config -o -name README ')' -exec sh -c '
for f do
  d=\${f%/*}; c=; r=; h=
  [ -d "$d/data" ] && [ ! -L "$d/data" ] && h=d
  [ -f "$d/config" ] && c=1; [ -f "$d/README" ] && r=1
  [ "$h$c$r" = d1 ] || [ "$h$c$r" = 11 ] || [ "$h$c$r" = d11 ] || continue
  [ "\${f##*/}" = config ] || [ -z "$c" ] || continue
  t=$({ stat -c %Y "$d"/index.* || stat -f %m "$d"/index.* || stat -c %Y "$d"; } 2>/dev/null | sort -n | tail -n 1)
  printf "f\\0%s\\0%s\\0%s\\0" "$d" "$t" "$h"
  [ -n "$c" ] && head -c ${mostOfFile} "$d/config" 2>/dev/null | tr -d "\\000"
  printf "\\0"
  [ -n "$r" ] && head -c 64 "$d/README" 2>/dev/null | tr -d "\\000"
  printf "\\0"
done' sh {} +
printf 'e\\0'`;

/** Folders that are listed one by one on a host without a shell. Each costs a connection. */
const mostListed = 500;
/** Longer than any path or file that the script prints. */
const longestField = 64 * 1024;
const longestPath = 4096;
const patienceMs = 2_000;
const mostStderrLines = 100_000;

export interface HostSearch {
  root: string;
  limits: WalkLimits;
  tally: WalkTally;
  signal: AbortSignal;
  /** The host may be asked for folders over SFTP. */
  sftp: boolean;
  onFound(found: FoundRepository): Promise<void>;
}

/**
 * Finds repositories on a host: by its own `find`, or folder by folder if it runs no commands. Rejects with
 * RemoteHostError, AppError `not_found`, and with the reason of `signal`.
 */
export async function searchHost(
  remoteHost: RemoteHost,
  account: RemoteAccount,
  search: HostSearch,
): Promise<void> {
  const ran = await byFind(remoteHost, account, search).catch((error: unknown) => {
    search.signal.throwIfAborted();
    if (isRemoteHostError(error) && refusals.has(error.kind)) return false;
    throw error;
  });
  if (!ran) await byListing(remoteHost, account, search);
}

/** The host was reached but does not run the command. */
const refusals: ReadonlySet<string> = new Set(['refused', 'failed', 'missing', 'permission']);

/** False when the host did not run it. */
async function byFind(remoteHost: RemoteHost, account: RemoteAccount, search: HostSearch): Promise<boolean> {
  const { root, limits, tally, signal } = search;
  const begun = performance.now();
  const ours = new AbortController();
  const limited = AbortSignal.any([signal, ours.signal, AbortSignal.timeout(limits.ms)]);
  const command = ['sh', '-c', script, 'holdfast', root, String(limits.depth + 1)];
  const process = await remoteHost.run(account, command, { signal: limited });
  process.stdin.end();
  process.exit.catch(() => undefined);
  let lines = 0;
  const errorsEnded = new Promise((resolve) => process.stderr.once('close', resolve));
  process.stderr.on('data', (piece: Buffer) => {
    for (const byte of piece) if (byte === 10 && lines < mostStderrLines) lines += 1;
  });
  const known = new Set<string>();
  try {
    const fields = fieldsOf(process.stdout);
    for await (const kind of fields) {
      if (kind === 'e') {
        await atMost(patienceMs, errorsEnded);
        tally.unreadable = lines;
        return true;
      }
      if (kind === 'm') throw missing(root);
      if (kind !== 'f') return false;
      const found = await foundOf(fields);
      if (!found || found.path.length > longestPath || isWithin(found.path, known)) continue;
      known.add(found.path);
      tally.found += 1;
      tally.at = found.path;
      await search.onFound(found);
      if (isOver(tally, limits, performance.now() - begun)) return true;
    }
    signal.throwIfAborted();
    if (limited.aborted) tally.truncated = true;
    return limited.aborted;
  } catch (error) {
    signal.throwIfAborted();
    if (!limited.aborted) throw error;
    tally.truncated = true;
    return true;
  } finally {
    ours.abort();
  }
}

const missing = (path: string) =>
  notFound(say`discovery_folder_missing: The host has no folder ${{ path }}.`);

async function foundOf(fields: AsyncGenerator<string>): Promise<FoundRepository | null> {
  const next = async () => (await fields.next()).value ?? '';
  const [path, seconds, data, config, readme] = [
    await next(),
    await next(),
    await next(),
    await next(),
    await next(),
  ];
  const known = recognise({ config: config || null, readme: readme || null, hasData: data === 'd' });
  if (!known || !path) return null;
  return { path, ...known, modified: /^\d{1,11}$/.test(seconds) ? Number(seconds) * 1000 : null };
}

async function* fieldsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of stream) {
    const whole = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    let from = 0;
    for (let end = whole.indexOf(0); end >= 0; end = whole.indexOf(0, from)) {
      yield nameOfBytes(whole.subarray(from, end));
      from = end + 1;
    }
    rest = whole.subarray(from);
    if (rest.length > longestField) throw new Error('The host did not send a list of folders.');
  }
}

/** Breadth first, so that what is near is found before the limit. The files themselves are not read. */
async function byListing(
  remoteHost: RemoteHost,
  account: RemoteAccount,
  { root, limits, tally, signal, sftp, onFound }: HostSearch,
): Promise<void> {
  const begun = performance.now();
  const most = { ...limits, folders: Math.min(limits.folders, mostListed) };
  const waiting = [{ path: root, depth: 0 }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    signal.throwIfAborted();
    if (isOver(tally, most, performance.now() - begun)) return;
    const { path, depth } = next;
    tally.at = path;
    const entries = await remoteHost.list(account, path, { sftp, signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!isRemoteHostError(error) || depth === 0 || !refusals.has(error.kind)) throw error;
      tally.unreadable += 1;
      return null;
    });
    if (!entries) continue;
    tally.folders += 1;
    const { files, folders } = namesOf(entries);
    if (mayBeRepository({ files, folders }) && files.has('config') && folders.has('data')) {
      tally.found += 1;
      await onFound({ path, toolId: null, keyInside: null, modified: newestOf(entries), broken: null });
      continue;
    }
    if (depth >= limits.depth) continue;
    for (const name of folders)
      waiting.push({ path: `${path === '/' ? '' : path}/${name}`, depth: depth + 1 });
  }
}

function namesOf(entries: readonly RemoteEntry[]) {
  const of = (type: RemoteEntry['type']) =>
    new Set(entries.flatMap((entry) => (entry.type === type && isName(entry.name) ? entry.name : [])));
  return { files: of('file'), folders: of('directory') };
}

/** A host may send anything as a name. */
const isName = (name: string): boolean => !/[/\0]/.test(name) && name !== '.' && name !== '..' && name !== '';

function newestOf(entries: readonly RemoteEntry[]): number | null {
  const times = entries.flatMap(({ name, modified }) => (name.startsWith('index.') ? (modified ?? []) : []));
  return times.length > 0 ? Math.max(...times) : null;
}
