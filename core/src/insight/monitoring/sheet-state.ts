import { createHash } from 'node:crypto';
import type { StorageSession } from '@holdfast/plugin-api';
import type { RepositoryRow } from '../../backup/repositories/index.js';
import type { SshConnectionRow } from '../../backup/ssh/index.js';
import { type Message, readSetting, say } from '../../foundation/kernel/index.js';

export const sheetSetting = 'recovery_sheet';

/** Facts about the last sheet with secrets, without the secrets. */
export interface KnownSheet {
  /** Milliseconds. */
  at: number;
  /** The user who made it; null: the command line. */
  by: string | null;
  sshKey: string | null;
  /** The contents by uid of each repository: `placeMark`, and when its secrets were last replaced. */
  repositories: Record<string, [mark: string, secretsAt: number | null]>;
}

export const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

type Place = Pick<
  RepositoryRow,
  'uid' | 'path' | 'remote_path' | 'tool_id' | 'encryption' | 'connection_id' | 'credentials_at'
>;

export const readKnownSheet = async (session: Pick<StorageSession, 'find'>): Promise<KnownSheet | null> =>
  (await readSetting(session, sheetSetting)) as KnownSheet | null;

type Hop = Pick<SshConnectionRow, 'id' | 'host_key' | 'host' | 'port' | 'username' | 'jump_connection_id'>;

interface Present {
  repositories: readonly (Place & { name: string })[];
  connections: readonly Hop[];
  /** Fingerprint of the system key. */
  sshKey: string | null;
}

/** Whether the last sheet still says all that is needed; null when it does. */
export function sheetProblem(known: KnownSheet | null, present: Present): Message | null {
  const { repositories } = present;
  if (repositories.length === 0) return null;
  if (!known)
    return say`sheet_never_made: You have no recovery sheet yet. Without it you may not be able to open your backups if you lose this server.`;
  const date = day(known.at);
  const marks = marksOf(present);
  for (const { uid, name, credentials_at } of repositories) {
    const [mark, secretsAt] = known.repositories[uid] ?? [];
    if (mark === undefined)
      return say`sheet_lacks_repository: The recovery sheet of ${{ date }} is out of date: repository ${{ name }} is missing, or its key is.`;
    if (secretsAt !== credentials_at)
      return say`sheet_secret_changed: The recovery sheet of ${{ date }} is out of date: the passphrase or key of repository ${{ name }} has changed.`;
    if (mark !== marks[uid]?.[0])
      return say`sheet_place_changed: The recovery sheet of ${{ date }} is out of date: the location or host key of repository ${{ name }} has changed.`;
  }
  if (known.sshKey !== present.sshKey && repositories.some(({ connection_id }) => connection_id !== null))
    return say`sheet_ssh_key_changed: The recovery sheet of ${{ date }} is out of date: the SSH key has changed.`;
  return null;
}

export function marksOf({ repositories, connections }: Omit<Present, 'sshKey'>): KnownSheet['repositories'] {
  const known = new Map(connections.map((row) => [row.id, row]));
  return Object.fromEntries(
    repositories.map((row) => {
      const { path, remote_path, tool_id, encryption, connection_id } = row;
      const connection = known.get(connection_id ?? 0);
      const way = jumpsOf(known, connection).map((jump) => [
        jump.username,
        jump.host,
        jump.port,
        jump.host_key,
      ]);
      const place = [path, remote_path, tool_id, encryption, connection?.host_key ?? null];
      const text = JSON.stringify([...place, ...way]);
      const mark = createHash('sha256').update(text).digest('base64url').slice(0, 16);
      return [row.uid, [mark, row.credentials_at]];
    }),
  );
}

/** The connections through which another one goes, the nearest to it first. */
export function jumpsOf<C extends Hop>(known: ReadonlyMap<number, C>, connection: C | undefined): C[] {
  const jump = known.get(connection?.jump_connection_id ?? 0);
  return jump ? [jump, ...jumpsOf(known, jump)] : [];
}
