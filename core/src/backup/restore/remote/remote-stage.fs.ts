import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  bytesOfName,
  DriverError,
  isDriverError,
  nameOfBytes,
  type SourceHost,
} from '@holdfast/plugin-api/driver';
import {
  AppError,
  conflict,
  escapeName,
  type Message,
  say,
  toolWarnings,
} from '../../../foundation/kernel/index.js';
import type { TreePacker } from '../../../foundation/ports/tree-packer.js';
import { joinPath } from '../../archives/index.js';
import { openUp } from '../stage/journal.fs.js';
import { isRefusedName, type Lack } from '../stage/lacks.rules.js';
import { removePath } from '../stage/remove-tree.fs.js';
import type { Stage } from '../stage/stage.js';
import { look, type PathStats } from '../stage/target-files.fs.js';
import { hostCommand, journalLines, onHost, piecesOf, textOf, withRetries } from './host-session.js';

export interface RemotePlace {
  /** Opens the host. Called again after each lost connection. Rejects with DriverError. */
  host(): Promise<SourceHost>;
  trees: TreePacker;
  /** Working folder on the host. */
  folder: string;
  /** Local folder that the files pass through. */
  local: string;
}

/**
 * A working folder on a host. The tool extracts locally, because only that preserves every attribute; then
 * everything is sent in one stream. One program on the host changes the target, and finishes even without us.
 */
export function remoteStage(place: RemotePlace): Stage {
  const { folder, local } = place;
  const tree = join(local, 'tree');
  const runVerb = async (verb: string, input?: Iterable<string>): Promise<string> =>
    onHost(await place.host(), { command: hostCommand(verb, folder), input });
  return {
    tree,
    async make() {
      await removePath(local);
      await mkdir(tree, { recursive: true, mode: 0o700 });
      await runVerb('make').catch(async (error: unknown) => {
        await removePath(local);
        // It is unknown whether the folder was created.
        if (isDriverError(error, 'connection'))
          await withRetries(() => runVerb('remove')).catch(() => undefined);
        throw error;
      });
    },
    // The service may run as root while the account on the host does not.
    openUp: () => openUp(tree),
    async deliver(signal, { lacks, owners }) {
      const host = await place.host();
      const stream = place.trees.pack(tree, { signal, owners, hardLinks: !lacks.has('hard_links') });
      return receive(host, { folder, tree, stream, signal, lacks });
    },
    lacks: () => new Set(),
    writeJournal: async (journal) => void (await runVerb('journal', journalLines(journal))),
    async perform() {
      const said = await withRetries(() => runVerb('commit'));
      if (said.startsWith('undone'))
        throw conflict(say`restore_undone_on_host: ${{ reason: said.slice(7) }} The target is unchanged.`);
      if (said.startsWith('torn')) throw torn(folder, said.slice(5));
      if (said !== 'done' && said !== 'gone')
        throw new DriverError('failed', `Unexpected response from the host: ${said}`);
    },
    async undo() {
      const said = await withRetries(() => runVerb('undo'));
      if (said.startsWith('torn')) throw torn(folder, said.slice(5));
    },
    async remove() {
      await removePath(local);
      await withRetries(() => runVerb('remove'));
    },
    close: () => Promise.resolve(),
  };
}

const torn = (folder: string, reason: string): AppError =>
  new AppError(
    'internal',
    say`restore_torn_on_host: Not all files could be moved into place (${{ reason }}), and not all moves could be undone. The missing files are in ${{ folder }} on the host.`,
  );

interface Delivery {
  /** Working folder on the host. */
  folder: string;
  /** Local folder to send. */
  tree: string;
  stream: Readable;
  signal: AbortSignal;
  /** Limitations of the file system on the host. */
  lacks?: ReadonlySet<Lack>;
}

const fullDisk = /No space left on device|Disk quota exceeded/;
/** tar uses the same message for an attribute that does not fit into the file system. */
const attribute = /extended attribute|xattr/;
const closing = /^tar: Exiting with failure/;
/** Expected on a file system without permissions; the plan already said so. */
const refusedMode = /^tar: .*: Cannot change mode to /;
const maxWarnings = 5;

/**
 * Sends a tree and verifies that all of it arrived. Returns warnings about what the host could not set.
 * Rejects with DriverError.
 */
async function receive(host: SourceHost, delivery: Delivery): Promise<Message[]> {
  const said = await send(host, delivery);
  delivery.signal.throwIfAborted();
  const { path, special } = await listed(host, delivery);
  const lacksModes = delivery.lacks?.has('modes') ?? false;
  const isNews = (line: string) =>
    line !== '' && !closing.test(line) && !(lacksModes && refusedMode.test(line));
  const lines = said.split('\n').filter(isNews);
  if (lines.some((line) => fullDisk.test(line) && !attribute.test(line))) {
    throw new DriverError(
      'no_space',
      `The disk of ${host.name} is full. Free some space, or choose another destination.`,
    );
  }
  if (path !== null) {
    const why = lines.at(-1) ?? 'tar did not report why';
    throw new DriverError('failed', `${escapeName(path)} is incomplete on ${host.name}: ${why}.`);
  }
  const lost = say`special_files_not_created: ${{ count: special }} links or special files could not be created on ${{ host: host.name }}.`;
  return [...(special > 0 ? [lost] : []), ...toolWarnings(lines.slice(0, maxWarnings))];
}

/** Returns the output of tar on the host. The files that arrived decide whether it succeeded. */
async function send(host: SourceHost, { folder, stream, signal }: Delivery): Promise<string> {
  const process = await host.run(hostCommand('receive', folder), { signal });
  const exit = process.exit;
  exit.catch(() => undefined);
  const said = textOf(process.stderr);
  process.stdout.resume();
  const sent = pipeline(stream, process.stdin).then(
    () => null,
    (error: unknown) => error,
  );
  const { code, signal: killed } = await exit;
  stream.destroy();
  const problem = await sent;
  if (code === null) throw new DriverError('connection', `${host.name} ended the transfer (${killed}).`);
  // A host that exits early breaks the stream; its own output is more useful then.
  if (problem !== null && code === 0) throw problem;
  return said;
}

async function listed(host: SourceHost, { folder, tree, signal, lacks }: Delivery) {
  const process = await host.run(hostCommand('list', folder), { signal });
  process.exit.catch(() => undefined);
  process.stdin.end();
  process.stderr.resume();
  const missing = await whatIsMissing(tree, process.stdout as AsyncIterable<Buffer>, lacks);
  await process.exit;
  return missing;
}

interface Missing {
  /** A file, directory or symlink that is incomplete; null when all arrived. */
  path: string | null;
  /** Number of missing devices and special files, and of entries that the file system cannot store. */
  special: number;
}

/** Compares a local folder with a NUL-terminated list of `type size path`. */
async function whatIsMissing(
  tree: string,
  list: AsyncIterable<Buffer>,
  lacks: ReadonlySet<Lack> = new Set(),
): Promise<Missing> {
  const arrived = new Set<string>();
  for await (const piece of piecesOf(list)) {
    const [, type = '', size = '', path = ''] = /^(.) (\d+) (.*)$/s.exec(nameOfBytes(piece)) ?? [];
    arrived.add(factsOf(type, size, path));
  }
  const missing: Missing = { path: null, special: 0 };
  for await (const { path, type, size } of entriesBelow(tree, '')) {
    if (arrived.has(factsOf(type, `${size}`, path))) continue;
    const excused = type === 'l' ? lacks.has('symlinks') : lacks.has('names') && isRefusedName(path);
    if ('fdl'.includes(type) && !excused) missing.path ??= path;
    else missing.special += 1;
  }
  return missing;
}

interface Entry {
  path: string;
  /** As printed by `find`; `?` for anything but a file, directory or symlink. */
  type: 'f' | 'd' | 'l' | '?';
  size: bigint;
}

const factsOf = (type: string, size: string, path: string): string => {
  if (type === 'f' || type === 'l') return `${type} ${size} ${path}`;
  return `${type === 'd' ? type : '?'} ${path}`;
};

async function* entriesBelow(tree: string, folder: string): AsyncGenerator<Entry> {
  const names = await readdir(bytesOfName(joinPath(tree, folder)), { encoding: 'buffer' });
  for (const name of names) {
    const path = joinPath(folder, nameOfBytes(name));
    const stats = await look(joinPath(tree, path));
    if (!stats) continue;
    yield { path, type: typeOf(stats), size: stats.size };
    if (stats.isDirectory()) yield* entriesBelow(tree, path);
  }
}

function typeOf(stats: PathStats): Entry['type'] {
  if (stats.isFile()) return 'f';
  if (stats.isDirectory()) return 'd';
  return stats.isSymbolicLink() ? 'l' : '?';
}
