import { dirname } from 'node:path';
import { DriverError, nameOfBytes, type SourceHost } from '@holdfast/plugin-api/driver';
import { baseNameOf } from '../../archives/index.js';
import { escapeName, invalid } from '../../kernel/index.js';
import type { Standing } from '../stage/target-files.fs.js';
import { type HostAnswer, HostSession } from './host-session.js';

/** A directory as it was seen: itself, and what is in it unless that may not be read. */
interface Seen {
  self: Standing | null;
  entries: Map<string, Standing> | null;
}

export interface HostFacts {
  uid: number;
  /** Of the account; absolute. */
  home: string;
  /** Of its kernel; empty where it does not tell. */
  bootId: string;
  /** First lines of what its tar, find and mv say of themselves. */
  tools: string[];
}

const nothing: Seen = { self: null, entries: new Map() };

/** What stands on a host, directory by directory; each is asked for once. Rejects with DriverError. */
export class HostFiles {
  #session: Promise<HostSession> | null = null;
  readonly #seen = new Map<string, Promise<Seen>>();

  constructor(private readonly host: SourceHost) {}

  /** AppError `invalid` where the account may not look. */
  async look(path: string): Promise<Standing | null> {
    if (path === '/') return (await this.#directory(path)).self;
    const { entries } = await this.#directory(dirname(path));
    return entries ? (entries.get(baseNameOf(path)) ?? null) : this.#place(path);
  }

  async freeBytes(directory: string): Promise<number> {
    const { text } = await this.#ask('f', directory);
    const blocks = /\s\d+\s+\d+\s+(-?\d+)\s+\d+%/.exec(text)?.[1];
    if (blocks === undefined)
      throw new DriverError('failed', `${this.host.name} does not tell how much is free.`);
    return Math.max(0, Number(blocks)) * 1024;
  }

  writable = async (directory: string): Promise<boolean> => (await this.#ask('w', directory)).code === 0;

  async facts(): Promise<HostFacts> {
    const [uid = '', home = '', bootId = '', ...tools] = (await this.#ask('i')).text.split('\n');
    return { uid: Number(uid), home, bootId, tools };
  }

  /** Forgets what it saw. */
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

  #directory(path: string): Promise<Seen> {
    const known = this.#seen.get(path) ?? this.#read(path);
    this.#seen.set(path, known);
    return known;
  }

  async #read(path: string): Promise<Seen> {
    const answer = await this.#ask('d', path);
    if (isMissing(answer)) return nothing;
    const [self, ...entries] = answer.records.map(parseStanding);
    if (!self) this.#refuse(path, answer);
    const listed = answer.code === 0;
    return {
      self: self.standing,
      entries: listed ? new Map(entries.map(({ name, standing }) => [name, standing])) : null,
    };
  }

  async #place(path: string): Promise<Standing | null> {
    const answer = await this.#ask('p', path);
    if (isMissing(answer)) return null;
    const [record] = answer.records;
    return record ? parseStanding(record).standing : this.#refuse(path, answer);
  }

  #refuse(path: string, { text }: HostAnswer): never {
    const why = text.includes('Permission denied') ? 'the account may not look at it' : 'it can not be read';
    throw invalid(
      `${escapeName(path)} on ${this.host.name}: ${why}. Choose another place, or change its owner or mode.`,
    );
  }
}

const isMissing = ({ records, text }: HostAnswer): boolean =>
  records.length === 0 && /No such file or directory|Not a directory/.test(text);

export interface NamedStanding {
  name: string;
  standing: Standing;
}

/** Reads `type device inode ctime size mode name`. */
function parseStanding(record: Buffer): NamedStanding {
  let at = 0;
  const word = () => {
    const end = record.indexOf(0x20, at);
    const text = record.toString('latin1', at, end);
    at = end + 1;
    return text;
  };
  const type = word();
  const standing = {
    dev: BigInt(word()),
    ino: BigInt(word()),
    ctimeNs: nanoseconds(word()),
    size: BigInt(word()),
    mode: BigInt(`0o${word()}`),
    isFile: () => type === 'f',
    isDirectory: () => type === 'd',
    isSymbolicLink: () => type === 'l',
  };
  return { name: nameOfBytes(record.subarray(at)), standing };
}

function nanoseconds(text: string): bigint {
  const [seconds = '0', fraction = ''] = text.split('.');
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}
