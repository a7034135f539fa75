import { isDriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import {
  archives,
  livePins,
  openTarget,
  type RepositoryRow,
  repositories,
} from '../../../backup/repositories/index.js';
import {
  hostKeyFingerprint,
  isRemoteLocation,
  openPrivateKey,
  type SshConnectionRow,
  type SshKeyRow,
  sshConnections,
  sshKeys,
} from '../../../backup/ssh/index.js';
import { isAppError, isoTime, reasonOf, withinTime } from '../../../foundation/kernel/index.js';
import { jumpsOf, type KnownSheet, marksOf } from '../../../insight/monitoring/index.js';
import type { SheetNeeds } from '../needs.js';
import { hasKey, type SheetFacts, type SheetHost, type SheetRepository } from './sheet.rules.js';

/** Keys are read at so many repositories at once. */
const atOnce = 4;
/** How long one repository, and all of them, may take to show their keys. Milliseconds. */
const eachMs = 20_000;
const allMs = 90_000;

interface Context {
  needs: SheetNeeds;
  connections: ReadonlyMap<number, SshConnectionRow>;
  withSecrets: boolean;
  deadline: number;
}

/**
 * Reads the current contents of a sheet. A key that cannot be read is missing with its reason; the call does
 * not fail. Without secrets, nothing is decrypted and no host is contacted.
 */
export async function readFacts(
  needs: SheetNeeds,
  withSecrets: boolean,
): Promise<{ facts: SheetFacts; marks: KnownSheet['repositories'] }> {
  const { storage, clock, serverVersion, settings } = needs;
  const madeAt = clock.now();
  const [rows, connections, [sshKey]] = await Promise.all([
    storage.find(repositories, { order: [['id', 'asc']] }),
    storage.find(sshConnections),
    storage.find(sshKeys, { limit: 1 }),
  ]);
  const context = {
    needs,
    withSecrets,
    deadline: performance.now() + allMs,
    connections: new Map(connections.map((row) => [row.id, row])),
  };
  const found: SheetRepository[] = [];
  const left = rows.values();
  const work = async () => {
    for (const row of left) found.push(await repositoryFacts(context, row));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const facts = {
    madeAt,
    withSecrets,
    version: serverVersion,
    installation: settings.installation,
    sshKey: sshKey ? keyFacts(needs, sshKey, withSecrets) : null,
    repositories: found,
  };
  return { facts, marks: marksOf({ repositories: rows, connections }) };
}

async function repositoryFacts(context: Context, row: RepositoryRow): Promise<SheetRepository> {
  const { withSecrets, connections } = context;
  const secrets = withSecrets && hasKey(row) ? await secretsOf(context, row) : none;
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    place: row.path,
    encryption: row.encryption,
    ...secrets,
    openError: row.open_error,
    host: isRemoteLocation(row.path) ? hostOf(row, connections) : null,
    remotePath: row.remote_path,
    isSelfBackup: row.self_backup,
    pinned: await pinnedIn(context.needs, row),
  };
}

async function pinnedIn(
  { storage, clock }: SheetNeeds,
  row: RepositoryRow,
): Promise<SheetRepository['pinned']> {
  const pins = await livePins(storage, row, clock.now());
  if (pins.size === 0) return [];
  const where = { repository_id: row.id, tool_id: { in: [...pins.keys()] } };
  const held = await storage.find(archives, { where, order: [['start', 'desc']] });
  return held.flatMap(({ name, tool_id }) => {
    const pin = pins.get(tool_id);
    return pin ? [{ archive: name, reason: pin.reason, until: isoTime(pin.until) }] : [];
  });
}

const none = { passphrase: null, key: null, problem: null };

async function secretsOf(
  { needs, deadline }: Context,
  row: RepositoryRow,
): Promise<Pick<SheetRepository, 'passphrase' | 'key' | 'problem'>> {
  try {
    const { target, release } = openTarget(needs, row);
    try {
      const passphrase = target.passphrase ?? '';
      // The key of a keyfile repository is stored here: its host may be away.
      if (target.keyFile !== null) return { passphrase, key: target.keyFile, problem: null };
      return { passphrase, ...(await exportedKey(needs, target, deadline)) };
    } finally {
      release();
    }
  } catch (error) {
    return { ...none, problem: sentenceOf(error) };
  }
}

async function exportedKey(
  { driver, log }: SheetNeeds,
  target: RepositoryTarget,
  deadline: number,
): Promise<Pick<SheetRepository, 'key' | 'problem'>> {
  const ms = Math.min(eachMs, deadline - performance.now());
  if (ms <= 0) return { key: null, problem: 'The key could not be read in time.' };
  const leaving = new AbortController();
  try {
    const late = () => new Error(`no answer within ${Math.round(ms / 1000)} s`);
    const ask = () => driver.exportKey(target, {}, { signal: leaving.signal, bypassLock: true });
    return { key: (await withinTime(ms, ask, late)).value.text, problem: null };
  } catch (error) {
    log.info('the key of a repository is not on the recovery sheet', { repository: target.uid, error });
    return { key: null, problem: `The key: ${sentenceOf(error)}` };
  } finally {
    leaving.abort();
  }
}

function keyFacts(needs: SheetNeeds, row: SshKeyRow, withSecrets: boolean): SheetFacts['sshKey'] {
  const { key_type: type, fingerprint } = row;
  try {
    const text = withSecrets ? openPrivateKey(needs, row) : null;
    return { type, fingerprint, text, problem: null };
  } catch (error) {
    return { type, fingerprint, text: null, problem: sentenceOf(error) };
  }
}

const sentenceOf = (error: unknown): string =>
  isAppError(error) ? error.detail : isDriverError(error) ? error.message : `${reasonOf(error)}.`;

/** Where the repository is, as its own location says, and the key that was pinned for it. */
function hostOf(row: RepositoryRow, connections: ReadonlyMap<number, SshConnectionRow>): SheetHost | null {
  const at = /^ssh:\/\/([^@/]*)@(\[[^\]]*\]|[^:/]*):(\d+)\//.exec(row.path);
  if (!at) return null;
  const connection = connections.get(row.connection_id ?? 0);
  return {
    user: at[1] ?? '',
    name: (at[2] ?? '').replace(/^\[|\]$/g, ''),
    port: Number(at[3]),
    ...keyOf(connection),
    jumps: jumpsOf(connections, connection).map((jump) => ({
      user: jump.username,
      name: jump.host,
      port: jump.port,
      ...keyOf(jump),
    })),
  };
}

function keyOf(connection: SshConnectionRow | undefined): Pick<SheetHost, 'hostKey' | 'fingerprint'> {
  const [, type, blob = ''] = /^([a-z0-9@.-]+) ([A-Za-z0-9+/=]+)$/.exec(connection?.host_key ?? '') ?? [];
  const hostKey = type ? `${type} ${Buffer.from(blob, 'base64').toString('base64')}` : null;
  return { hostKey, fingerprint: hostKey === null ? null : hostKeyFingerprint(hostKey) };
}

/** The uids of the repositories for which a sheet has every secret that opens them. */
export const isMadeFor = ({ repositories }: SheetFacts): Set<string> =>
  new Set(
    repositories
      .filter((each) => !hasKey(each) || (each.passphrase !== null && each.key !== null))
      .map(({ uid }) => uid),
  );
