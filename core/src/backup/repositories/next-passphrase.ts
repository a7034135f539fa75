import type { StorageSession } from '@holdfast/plugin-api';
import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import { inTransaction } from '../../foundation/kernel/index.js';
import type { RepositoriesNeeds } from './needs.js';
import { openSecrets, sealSecrets } from './open-target.js';
import { opens } from './repository.rules.js';
import type { RepositorySecrets } from './repository-target.rules.js';
import { type RepositoryRow, repositories } from './tables.js';

/** The passphrase that a repository is to get; null when none is open. */
export const openNext = (
  secrets: RepositoriesNeeds['secrets'],
  { uid, next_passphrase }: Pick<RepositoryRow, 'uid' | 'next_passphrase'>,
): string | null => openSecrets(secrets, { uid, passphrase: next_passphrase, key_file: null }).passphrase;

const rowOf = async (session: Pick<StorageSession, 'find'>, uid: string) =>
  (await session.find(repositories, { where: { uid }, limit: 1 }))[0];

/** What may open a registered repository that `target` does not: stored since, or open. */
export async function otherSecrets(
  { storage, secrets }: Pick<RepositoriesNeeds, 'storage' | 'secrets'>,
  { uid, expected, passphrase }: RepositoryTarget,
): Promise<(RepositorySecrets & { isNext: boolean })[]> {
  const row = expected && (await rowOf(storage, uid));
  if (!row) return [];
  const stored = openSecrets(secrets, row);
  const next = openNext(secrets, row);
  // Whether the new one opens it is the question.
  if (next !== null && next === passphrase) return [];
  return [
    ...(stored.passphrase === passphrase ? [] : [{ ...stored, isNext: false }]),
    ...(next === null ? [] : [{ ...stored, passphrase: next, isNext: true }]),
  ];
}

/** Opens a change, with the passphrase sealed; null: closes it. */
export const noteNext = (session: StorageSession, id: number, next_passphrase: string | null) =>
  session.update(repositories, { id }, { next_passphrase });

/** Stores the open passphrase as the one of the repository, which it opened, with its new key file, if it has one. */
export async function takeNext(
  { storage, clock, secrets, events }: Pick<RepositoriesNeeds, 'storage' | 'clock' | 'secrets' | 'events'>,
  uid: string,
  keyFile: string | null = null,
): Promise<void> {
  const event = await inTransaction(storage, async (session) => {
    const row = await rowOf(session, uid);
    if (!row?.next_passphrase) return null;
    const { id, name, next_passphrase: passphrase } = row;
    const updated_at = Math.max(clock.now(), row.updated_at + 1);
    const { key_file } = keyFile === null ? row : sealSecrets(secrets, uid, { passphrase: null, keyFile });
    const stored = { passphrase, next_passphrase: null, key_file, updated_at, credentials_at: updated_at };
    await session.update(repositories, { id }, { ...opens, ...stored });
    const data = { name, fields: ['passphrase'] };
    return events.record(session, { kind: 'repository_updated', repositoryId: id, jobId: null, data });
  });
  if (event) events.announce([event]);
}
