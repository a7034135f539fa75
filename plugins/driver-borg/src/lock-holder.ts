import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isRemote } from './location.js';
import { startTimeOf } from './process-identity.js';

interface Holder {
  host: string;
  pid: number;
  exclusive: boolean;
}

/**
 * Who holds the lock of a local repository, in words; null when nobody does or it can't be seen from here.
 */
export async function describeLockHolder(location: string): Promise<string | null> {
  if (isRemote(location)) return null;
  const holders = [...(await exclusiveHolders(location)), ...(await rosterHolders(location))].filter(mayLive);
  const words = holders.map(({ host, pid, exclusive }) => {
    const machine = host.replace(/@.*$/, '');
    return `a borg process (${pid} on ${machine}) that is ${exclusive ? 'writing' : 'reading'}`;
  });
  return words.length === 0 ? null : [...new Set(words)].join(', ');
}

/** The folder `lock.exclusive` holds one file named `<host id>.<pid>-<thread>`. */
async function exclusiveHolders(location: string): Promise<Holder[]> {
  const names = await readdir(join(location, 'lock.exclusive')).catch(() => [] as string[]);
  return names.flatMap((name) => {
    const match = /^(.*)\.(\d+)-[0-9a-f]+$/.exec(name);
    return match ? [{ host: match[1] as string, pid: Number(match[2]), exclusive: true }] : [];
  });
}

async function rosterHolders(location: string): Promise<Holder[]> {
  const text = await readFile(join(location, 'lock.roster'), 'utf8').catch(() => '{}');
  const roster = readRoster(text);
  return [...entries(roster.exclusive, true), ...entries(roster.shared, false)];
}

function readRoster(text: string): { exclusive?: unknown; shared?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {}; // Half written at this moment.
  }
}

function entries(list: unknown, exclusive: boolean): Holder[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) =>
    Array.isArray(entry) ? [{ host: String(entry[0]), pid: Number(entry[1]), exclusive }] : [],
  );
}

/** A process of this machine that is gone holds nothing: the next command clears its lock away. */
function mayLive({ host, pid }: Holder): boolean {
  const machine = host.replace(/@.*$/, '');
  const ours = machine === hostname() || machine.startsWith(`${hostname()}.`);
  return !ours || process.platform !== 'linux' || startTimeOf(pid) !== null;
}
