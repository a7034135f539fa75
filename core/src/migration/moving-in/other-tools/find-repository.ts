import { newRepository } from '@holdfast/contracts';
import type { ImportedRepository } from '@holdfast/plugin-api/importer';
import {
  asCandidate,
  checkDirectory,
  openCandidate,
  protectSecrets,
  type RepositoryRow,
  repositories,
  repositoriesUseCases,
  repositoryPath,
} from '../../../backup/repositories/index.js';
import { remoteLocation, type SshConnectionRow, sshConnections } from '../../../backup/ssh/index.js';
import { invalid, isAppError, type Message, say } from '../../../foundation/kernel/index.js';
import type { SettingsNeeds } from '../needs.js';
import { addressText } from '../settings/references.js';

/** A repository as configured in the file, before checking that it exists. */
export type Wanted = ImportedRepository;
type SshAddress = Extract<Wanted['place'], { kind: 'ssh' }>['written'];

export interface Found {
  /** The id that the backup tool gave it. */
  toolId: string;
  encryption: RepositoryRow['encryption'];
  path: string;
  /** As settings name it; null on this machine. */
  connection: string | null;
  existing: RepositoryRow | null;
}

export interface Unavailable {
  why: Message;
  /** There is no repository at the path. */
  isAbsent?: boolean;
}

/** Which repository is meant, or why it can't be had. Opens it unless it is registered. `ask`: for its passphrase. */
export async function findWanted(
  needs: SettingsNeeds,
  wanted: Wanted,
  { ask, create }: { ask(): void; create: boolean },
): Promise<Found | Unavailable> {
  const release = protectSecrets(needs.redactor, wanted.secrets);
  try {
    const { path, connection } = await locate(needs, wanted.place);
    const known = await registered(needs, { path });
    if (known) return foundIn(known, connection);
    if (!connection) await checkDirectory(needs.files, path);
    return await opened(needs, wanted, { path, connection });
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (isSecretMissing(error.reason.code) && !wanted.secrets.awaited) ask();
    if (create && isAbsent(error.reason.code)) return created(needs, wanted);
    return { why: error.reason, isAbsent: isAbsent(error.reason.code) };
  } finally {
    release();
  }
}

const isSecretMissing = (code: string): boolean => code === 'repository_passphrase_wrong';
const isAbsent = (code: string): boolean =>
  ['repository_missing', 'repository_folder_missing'].includes(code);

const noConnection = (address: string) =>
  invalid(
    say`borgmatic_connection_missing: There is no SSH connection to ${{ address }}: add one, then import the file again.`,
  );
const jumps = (host: string, via: string) =>
  invalid(
    say`borgmatic_host_jumps: ssh reaches ${{ host }} through ${{ via }}: add an SSH connection for that, then one to ${{ host }} that goes through it, and import the file again.`,
  );
const unsupported = (scheme: string) =>
  invalid(
    say`borgmatic_place_unsupported: Holdfast does not support repositories of the kind ${{ kind: scheme }}.`,
  );

const unnamed = (path: string) =>
  invalid(
    say`borgmatic_place_placeholder: ${{ path }} has a placeholder that only Borg can fill in: write the actual path.`,
  );

interface Location {
  path: string;
  connection: SshConnectionRow | null;
}

async function locate(needs: SettingsNeeds, place: Wanted['place']): Promise<Location> {
  if (place.kind === 'local')
    return { path: repositoryPath(place.path, needs.settings.dataDirectory), connection: null };
  if (place.kind === 'unsupported') throw unsupported(place.scheme);
  if (place.kind === 'unnamed') throw unnamed(place.text);
  const { host, port, username, path, via, written } = place;
  const to = async ({ host, port, username }: SshAddress) => {
    const rows = await needs.storage.find(sshConnections, { where: { host, port } });
    const fitting = rows.filter((row) => username === null || row.username === username);
    return fitting.length === 1 ? fitting[0] : undefined;
  };
  const direct = await to(place);
  const fits = via === null || direct?.jump_connection_id != null;
  const connection = (fits ? direct : undefined) ?? (await to(written));
  if (!connection && via !== null) throw jumps(host, via);
  if (!connection) throw noConnection(`${username ?? '?'}@${host}:${port}`);
  return { path: remoteLocation(connection, path), connection };
}

async function registered(
  { storage }: SettingsNeeds,
  where: { path: string } | { tool_id: string },
): Promise<RepositoryRow | null> {
  const [row] = await storage.find(repositories, { where, limit: 1 });
  return row ?? null;
}

const foundIn = (existing: RepositoryRow, connection: SshConnectionRow | null): Found => ({
  toolId: existing.tool_id,
  encryption: existing.encryption,
  path: existing.path,
  connection: connection && addressText(connection),
  existing,
});

async function opened(
  needs: SettingsNeeds,
  { secrets, settings }: Wanted,
  { path, connection }: Location,
): Promise<Found> {
  return asCandidate(needs, async (uid) => {
    const remote_path = typeof settings.remote_path === 'string' ? settings.remote_path : null;
    const about = { bypass_lock: false, remote_path, connection_id: connection?.id ?? null };
    const { opened } = await openCandidate(needs, { uid, path, secrets, settings: about });
    const { id: toolId, encryption } = opened.value;
    const existing = await registered(needs, { tool_id: toolId });
    return { toolId, encryption, path, connection: connection && addressText(connection), existing };
  });
}

/** Makes the repository and registers it, in observe mode until the rest of its file is written. */
async function created(needs: SettingsNeeds, wanted: Wanted): Promise<Found | { why: Message }> {
  const { path, connection } = await locate(needs, wanted.place);
  const input = newRepository.safeParse({
    name: wanted.name,
    path,
    passphrase: wanted.secrets.passphrase,
    encryption: wanted.encryption ?? 'repokey-blake2',
    connection_id: connection?.id ?? null,
    mode: 'observe',
  });
  if (!input.success) return { why: unsupported(wanted.encryption ?? '?').reason };
  const { createRepository } = repositoriesUseCases(needs, { forget: [], recall: needs.recalls });
  try {
    const { repository } = await createRepository(input.data);
    const row = await registered(needs, { path: repository.path });
    return row ? foundIn(row, connection) : { why: unsupported(path).reason };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { why: error.reason };
  }
}
