import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { readServiceFile } from '../../adapters/service-file.js';

/** The running service and its settings. */
export interface FoundService {
  pid: number;
  /** How it was found, for the first line. */
  by: string;
}

const unit = 'holdfast.service';
/** Where the data folder of a service without a unit usually is. */
const usualFolders = ['./data', '/var/lib/holdfast', '/data', '/srv/holdfast'];

/**
 * Looks for a systemd unit, then for the file in the usual data folders, then for the process that listens on
 * the port.
 */
export async function findService(port: number): Promise<FoundService | null> {
  return (await byUnit()) ?? (await byFile()) ?? (await byPort(port));
}

async function byUnit(): Promise<FoundService | null> {
  try {
    const parameters = ['show', unit, '--property=MainPID', '--value'];
    const { stdout } = await promisify(execFile)('systemctl', parameters, { timeout: 3_000 });
    const pid = Number(stdout.trim());
    return pid > 0 ? { pid, by: `its systemd unit ${unit}` } : null;
  } catch {
    return null;
  }
}

async function byFile(): Promise<FoundService | null> {
  for (const folder of usualFolders) {
    const found = await readServiceFile(folder);
    if (found) return { pid: found.pid, by: `the file service.json in ${folder}` };
  }
  return null;
}

/** Only a process of Holdfast counts: it answers `/health` as such before this is asked. */
async function byPort(port: number): Promise<FoundService | null> {
  const sockets = await listenersOn(port);
  if (sockets.size === 0) return null;
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const open = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const links = await Promise.all(open.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
    if (links.some((link) => sockets.has(link)) && (await isHoldfast(port)))
      return { pid: Number(pid), by: `its port ${port}` };
  }
  return null;
}

async function isHoldfast(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(3_000) });
    return ((await answer.json()) as { service?: unknown }).service === 'holdfast';
  } catch {
    return false;
  }
}

/** `socket:[inode]` of everything that listens on the TCP port. */
async function listenersOn(port: number): Promise<Set<string>> {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => ''));
  const rows = (await Promise.all(tables)).flatMap((text) => text.split('\n'));
  const listening = '0A';
  const inodes = rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
    const isOurs = state === listening && Number.parseInt(local.split(':')[1] ?? '', 16) === port;
    return isOurs && inode !== undefined ? [`socket:[${inode}]`] : [];
  });
  return new Set(inodes);
}

/** Environment and working directory of a process, as far as this user may read them; null if not at all. */
export async function surroundingsOf(
  pid: number,
): Promise<{ environment: Record<string, string>; folder: string } | null> {
  try {
    const text = await readFile(`/proc/${pid}/environ`, 'utf8');
    const pairs = text.split('\0').filter((line) => line.includes('='));
    const split = (line: string): [string, string] => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1),
    ];
    return { environment: Object.fromEntries(pairs.map(split)), folder: await readlink(`/proc/${pid}/cwd`) };
  } catch {
    return null;
  }
}

export interface ServiceUser {
  uid: number;
  gid: number;
  groups: number[];
  /** By a capability, or as root. */
  readsEverything: boolean;
}

/** CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH. */
const readingCapabilities = 0b110n;

/** The user of the process, otherwise of the data folder. */
export async function serviceUser(pid: number | null, dataDirectory: string): Promise<ServiceUser | null> {
  const status = pid === null ? '' : await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [uid, gid] = ['Uid', 'Gid'].map(
    (name) => new RegExp(`^${name}:\\s+\\d+\\s+(\\d+)`, 'm').exec(status)?.[1],
  );
  const held = /^CapEff:\s+([0-9a-f]+)/m.exec(status)?.[1];
  if (uid !== undefined && gid !== undefined && held !== undefined) {
    const readsEverything = (BigInt(`0x${held}`) & readingCapabilities) !== 0n;
    const groups =
      /^Groups:\s*([\d ]*)/m.exec(status)?.[1]?.trim().split(' ').filter(Boolean).map(Number) ?? [];
    return { uid: Number(uid), gid: Number(gid), groups, readsEverything };
  }
  const facts = await stat(dataDirectory).catch(() => null);
  if (!facts) return null;
  return { uid: facts.uid, gid: facts.gid, groups: [facts.gid], readsEverything: facts.uid === 0 };
}
