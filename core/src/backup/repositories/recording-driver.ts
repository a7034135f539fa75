import { type BackupDriver, isDriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import { type Message, toolMessage } from '../../foundation/kernel/index.js';
import type { RepositoriesNeeds } from './needs.js';
import { otherSecrets, takeNext } from './next-passphrase.js';
import { protectSecrets } from './open-target.js';
import { type OpenErrorKind, openErrorKinds, opens, spaceErrorKinds } from './repository.rules.js';
import { type RepositoryRow, repositories } from './tables.js';

type Needs = Pick<RepositoriesNeeds, 'storage' | 'clock' | 'log' | 'secrets' | 'redactor' | 'events'>;
type Operation = (target: RepositoryTarget, ...rest: unknown[]) => Promise<unknown>;

/** Each of these needs the passphrase, the key and the manifest: when one succeeds, the repository opens. */
const opening: ReadonlySet<PropertyKey> = new Set<keyof BackupDriver>([
  'open',
  'look',
  'createArchive',
  'pullArchive',
  'listArchives',
  'archiveInfo',
  'deleteArchives',
  'extract',
]);

/** Of these, only the failures tell something. */
const telling: ReadonlySet<PropertyKey> = new Set<keyof BackupDriver>([
  'check',
  'compact',
  'signArchives',
  'exportKey',
]);

/** When one of these succeeds, there is room. */
const writing: ReadonlySet<PropertyKey> = new Set<keyof BackupDriver>([
  'createArchive',
  'pullArchive',
  'deleteArchives',
]);

/**
 * Wraps the driver to record in the row of a registered repository whether it opens. A passphrase that was changed since
 * the target was read, even by a job that died, is used instead.
 */
export function recordingDriver<D extends BackupDriver>(driver: D, needs: Needs): D {
  return new Proxy(driver, {
    get(inner, name) {
      const member = Reflect.get(inner, name) as unknown;
      if (typeof member !== 'function' || !(opening.has(name) || telling.has(name))) return member;
      const operation = member.bind(inner) as Operation;
      return async (target: RepositoryTarget, ...rest: unknown[]) => {
        try {
          const result = await orAfresh(needs, operation, [target, ...rest]);
          if (opening.has(name)) await record(needs, target, writing.has(name) ? 'writes' : 'reads');
          return result;
        } catch (error) {
          if (isOpenError(error)) await record(needs, target, error);
          throw error;
        }
      };
    },
  });
}

async function orAfresh(
  needs: Needs,
  operation: Operation,
  [target, ...rest]: Parameters<Operation>,
): Promise<unknown> {
  try {
    return await operation(target, ...rest);
  } catch (error) {
    if (!isDriverError(error, 'passphrase_wrong')) throw error;
    for (const { isNext, ...secrets } of await otherSecrets(needs, target)) {
      const release = protectSecrets(needs.redactor, secrets);
      try {
        const result = await operation({ ...target, ...secrets }, ...rest);
        if (isNext) await takeNext(needs, target.uid);
        return result;
      } catch (again) {
        if (!isDriverError(again, 'passphrase_wrong')) throw again;
      } finally {
        release();
      }
    }
    throw error;
  }
}

type OpenError = Error & { kind: OpenErrorKind };

const isOpenError = (error: unknown): error is OpenError =>
  isDriverError(error) && ([...openErrorKinds, ...spaceErrorKinds] as string[]).includes(error.kind);

/** Candidates have no row under their uid. Never rejects: the result of the operation matters more. */
async function record(
  { storage, clock, log }: Needs,
  { uid, expected }: RepositoryTarget,
  error: OpenError | 'reads' | 'writes',
): Promise<void> {
  if (!expected) return;
  try {
    if (error === 'reads' || error === 'writes') {
      // That something can be read says nothing about room.
      const kinds = error === 'writes' ? [...openErrorKinds, ...spaceErrorKinds] : [...openErrorKinds];
      const failing = { uid, open_error_kind: { in: kinds } };
      // A read is cheap; an update would wait for other transactions.
      const isFailing = (await storage.find(repositories, { where: failing, limit: 1 })).length > 0;
      if (isFailing) await storage.update(repositories, failing, opens);
      return;
    }
    const patch = { open_error: error.message, open_error_kind: error.kind };
    const matched = await storage.update(repositories, { uid, open_error_kind: error.kind }, patch);
    if (matched === 0) await storage.update(repositories, { uid }, { ...patch, open_error_at: clock.now() });
  } catch (cause) {
    log.warn('could not record whether a repository can be opened', { uid, cause });
  }
}

export const openErrorOf = (row: Pick<RepositoryRow, 'open_error' | 'open_error_kind'>): Message | null =>
  row.open_error === null ? null : toolMessage(row.open_error_kind ?? 'failed', row.open_error);
