import { dirname } from 'node:path';
import { DriverError, nameOfBytes, type SourceHost } from '@holdfast/plugin-api/driver';
import { escapeName, invalid, say } from '../../../foundation/kernel/index.js';
import { baseNameOf } from '../../archives/index.js';
import type { Owner, OwnerThere } from '../owners.rules.js';
import { allLacks, type Lack } from '../stage/lacks.rules.js';
import type { PathStats } from '../stage/target-files.fs.js';
import { type HostAnswer, HostSession } from './host-session.js';

/** A directory as listed: itself, and its entries unless they are unreadable. */
interface Listing {
  self: PathStats | null;
  entries: Map<string, PathStats> | null;
}

export interface HostFacts {
  uid: number;
  /** Home folder of the account; absolute. */
  home: string;
  /** Boot id of its kernel; empty when unavailable. */
  bootId: string;
  /** First lines of the `--version` output of its tar, find and mv. */
  tools: string[];
}

const nothing: Listing = { self: null, entries: new Map() };

/** Files on a host, read directory by directory. Each directory is read once. Rejects with DriverError. */
export class HostFiles {
  #session: Promise<HostSession> | null = null;
  readonly #seen = new Map<string, Promise<Listing>>();

  constructor(private readonly host: SourceHost) {}

  /** Throws AppError `invalid` if the account has no access. */
  async look(path: string): Promise<PathStats | null> {
    if (path === '/') return (await this.#directory(path)).self;
    const { entries } = await this.#directory(dirname(path));
    return entries ? (entries.get(baseNameOf(path)) ?? null) : this.#place(path);
  }

  async freeBytes(directory: string): Promise<number> {
    const { text } = await this.#ask('f', directory);
    const blocks = /\s\d+\s+\d+\s+(-?\d+)\s+\d+%/.exec(text)?.[1];
    if (blocks === undefined)
      throw new DriverError('failed', `${this.host.name} does not report its free space.`);
    return Math.max(0, Number(blocks)) * 1024;
  }

  /** Briefly writes a test file, unless the file system is known to keep everything. */
  lacks = async (directory: string): Promise<Lack[]> => {
    const { text } = await this.#ask('k', directory);
    return allLacks.filter((lack) => text.split('\n').includes(lack));
  };

  /** Null for an owner that the host does not know. */
  whoIs = async ({ user, uid, group, gid }: Owner): Promise<OwnerThere> => {
    const { text } = await this.#ask('o', `${user}:${uid}:${group}:${gid}`);
    const lines = text.split('\n').map((line) => line.split(':'));
    const [users, groups] = [7, 4].map((fields) => lines.filter(({ length }) => length === fields));
    const idOf = (list: string[][] = [], name = '') => list.find(([each]) => each === name)?.[2];
    const nameOf = (list: string[][] = [], id = 0) => list.find(([, , each]) => each === `${id}`)?.[0];
    const pair = (one: string | undefined, other: string | undefined, own: [unknown, unknown]) =>
      one || other ? `${one ?? own[0]}:${other ?? own[1]}` : null;
    return {
      ids: pair(idOf(users, user), idOf(groups, group), [uid, gid]),
      names: pair(nameOf(users, uid), nameOf(groups, gid), [user, group]),
    };
  };

  writable = async (directory: string): Promise<boolean> => (await this.#ask('w', directory)).code === 0;

  async facts(): Promise<HostFacts> {
    const [uid = '', home = '', bootId = '', ...tools] = (await this.#ask('i')).text.split('\n');
    return { uid: Number(uid), home, bootId, tools };
  }

  /** Closes the session and clears the cache. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    this.#seen.clear();
    await session?.then(
      (open) => open.close(),
      () => undefined,
    );
  }

  async #ask(...question: Parameters<HostSession['ask']>): Promise<HostAnswer> {
    this.#session ??= HostSession.open(this.host);
    return (await this.#session).ask(...question);
  }

  #directory(path: string): Promise<Listing> {
    const known = this.#seen.get(path) ?? this.#read(path);
    this.#seen.set(path, known);
    return known;
  }

  async #read(path: string): Promise<Listing> {
    const answer = await this.#ask('d', path);
    if (isMissing(answer)) return nothing;
    const [self, ...entries] = answer.records.map(parseStats);
    if (!self) this.#fail(path, answer);
    const listed = answer.code === 0;
    return {
      self: self.stats,
      entries: listed ? new Map(entries.map(({ name, stats }) => [name, stats])) : null,
    };
  }

  async #place(path: string): Promise<PathStats | null> {
    const answer = await this.#ask('p', path);
    if (isMissing(answer)) return null;
    const [record] = answer.records;
    return record ? parseStats(record).stats : this.#fail(path, answer);
  }

  #fail(path: string, { text }: HostAnswer): never {
    const shown = escapeName(path);
    const host = this.host.name;
    throw invalid(
      text.includes('Permission denied')
        ? say`path_on_host_denied: ${{ path: shown }} on ${{ host }}: permission denied. Choose another path, or change its owner or mode.`
        : say`path_on_host_unreadable: ${{ path: shown }} on ${{ host }}: cannot be read. Choose another path, or change its owner or mode.`,
    );
  }
}

const isMissing = ({ records, text }: HostAnswer): boolean =>
  records.length === 0 && /No such file or directory|Not a directory/.test(text);

interface NamedStats {
  name: string;
  stats: PathStats;
}

/** Reads `type device inode ctime mtime size mode name`. */
function parseStats(record: Buffer): NamedStats {
  let at = 0;
  const word = () => {
    const end = record.indexOf(0x20, at);
    const text = record.toString('latin1', at, end);
    at = end + 1;
    return text;
  };
  const type = word();
  const stats = {
    dev: BigInt(word()),
    ino: BigInt(word()),
    ctimeNs: nanoseconds(word()),
    mtimeNs: nanoseconds(word()),
    size: BigInt(word()),
    mode: BigInt(`0o${word()}`),
    isFile: () => type === 'f',
    isDirectory: () => type === 'd',
    isSymbolicLink: () => type === 'l',
  };
  return { name: nameOfBytes(record.subarray(at)), stats };
}

function nanoseconds(text: string): bigint {
  const [seconds = '0', fraction = ''] = text.split('.');
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}
