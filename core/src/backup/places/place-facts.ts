import { posix } from 'node:path';
import type { PreflightInput } from '@holdfast/contracts';
import { isRemoteHostError, untilAborted } from '../../foundation/kernel/index.js';
import type { RemoteAccount, RemoteHost } from '../../foundation/ports/remote-host.js';
import { repositoryPath } from '../repositories/index.js';
import { findConnection, pathOf, remoteFailure, remoteLocation, usingConnection } from '../ssh/index.js';
import type { SshConnectionRow } from '../ssh/tables.js';
import type { PlacesNeeds } from './needs.js';

/** Where a repository is or will be. */
export interface Place {
  /** Absolute; null: not chosen yet. */
  path: string | null;
  /** Null: on this machine. */
  connection: SshConnectionRow | null;
  /** The tool on that host. */
  remotePath?: string | null | undefined;
}

export interface PlaceFacts {
  freeBytes: number | null;
  /** Sources on the same file system; null when unknown. */
  sameDisk: string[] | null;
  /** Version of the tool; null when it was not found or did not answer. */
  tool: string | null;
}

const nothing: PlaceFacts = { freeBytes: null, sameDisk: null, tool: null };

/** Throws AppError `invalid`, `not_found` (connection). */
export async function placeOf(
  needs: PlacesNeeds,
  { path, connection_id, remote_path }: PreflightInput,
): Promise<Place> {
  const connection = connection_id == null ? null : await findConnection(needs.storage, connection_id);
  if (path == null) return { path: null, connection, remotePath: remote_path };
  if (connection)
    return { path: pathOf(remoteLocation(connection, path)), connection, remotePath: remote_path };
  return { path: repositoryPath(path, needs.settings.dataDirectory), connection };
}

/**
 * `sources`: those on this machine, or null. What is not known when `signal` is aborted stays unknown. Throws AppError
 * when the host of the place can't be reached.
 */
export async function lookAtPlace(
  needs: PlacesNeeds,
  { path, connection, remotePath }: Place,
  { sources, signal }: { sources: readonly string[] | null; signal: AbortSignal },
): Promise<PlaceFacts> {
  const facts = { ...nothing };
  const look = connection
    ? lookOnHost(needs, { path, connection, remotePath, facts, signal })
    : lookHere(needs, { path, sources, facts });
  await untilAborted(signal, look);
  return { ...facts };
}

async function lookHere(
  { files, toolVersion }: PlacesNeeds,
  { path, sources, facts }: { path: string | null; sources: readonly string[] | null; facts: PlaceFacts },
): Promise<void> {
  facts.tool = await toolVersion.line();
  if (path === null) return;
  const room = await spaceAbove(files, path).catch(() => null);
  facts.freeBytes = room?.free ?? null;
  if (room === null || sources === null) return;
  // Not of the folder above a missing source: what may be mounted there is not known.
  const spaces = await Promise.all(sources.map((source) => files.space(source).catch(() => null)));
  facts.sameDisk = sources.filter((_, n) => spaces[n]?.device === room.device);
}

/** Of the path, or of the nearest folder above it that exists. */
async function spaceAbove(files: PlacesNeeds['files'], path: string) {
  let place = path;
  while (place !== '/' && (await files.kind(place)) === 'missing') place = posix.dirname(place);
  return files.space(place);
}

interface HostLook extends Pick<Place, 'remotePath'> {
  path: string | null;
  connection: SshConnectionRow;
  facts: PlaceFacts;
  signal: AbortSignal;
}

async function lookOnHost(needs: PlacesNeeds, look: HostLook): Promise<void> {
  const { remoteHost } = needs;
  const { path, connection, facts, signal } = look;
  try {
    await usingConnection(needs, connection, async (account) => {
      facts.tool = await toolOn(remoteHost, account, look);
      if (path === null) return;
      for (const place of [path, posix.dirname(path)]) {
        const usage = await remoteHost.storageUsage(account, place, { signal });
        facts.freeBytes ??= usage?.available ?? null;
        if (usage) return;
      }
    });
  } catch (error) {
    if (!isRemoteHostError(error)) throw error;
    if (!signal.aborted) throw remoteFailure(error);
  }
}

const longestLine = 200;

/** Null when the host does not run it, for example because its key is restricted. */
async function toolOn(
  remoteHost: RemoteHost,
  account: RemoteAccount,
  { remotePath, signal }: Pick<HostLook, 'remotePath' | 'signal'>,
): Promise<string | null> {
  try {
    const process = await remoteHost.run(account, [remotePath || 'borg', '--version'], { signal });
    process.stdin.end();
    process.stderr.resume();
    let text = '';
    for await (const piece of process.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      if (text.length < longestLine) text += piece;
    }
    const { code } = await process.exit;
    const line =
      text
        .split('\n')[0]
        ?.replace(/\p{Cc}/gu, '')
        .slice(0, longestLine) ?? '';
    return code === 0 && /^(?:\S+|.*borg.*) \d+\.\d+\S*$/.test(line) ? line : null;
  } catch (error) {
    if (isRemoteHostError(error) && ['refused', 'failed', 'permission'].includes(error.kind)) return null;
    throw error;
  }
}
