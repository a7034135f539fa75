import type { PassphraseChange } from '@holdfast/contracts';
import { isDriverError } from '@holdfast/plugin-api/driver';
import {
  inOwnTransaction,
  type JobContext,
  type JobHandler,
  type JobResult,
} from '../../engine/jobs/index.js';
import { type Caller, conflict, invalid, say } from '../../foundation/kernel/index.js';
import {
  findRepository,
  noteNext,
  openNext,
  openSecrets,
  openTarget,
  protectSecrets,
  requirePassphrase,
  sealSecrets,
  takeNext,
  toolFailure,
} from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import { observedOnly, startManually } from './maintenance-jobs.js';
import type { MaintenanceNeeds } from './needs.js';

const cannotChange = say`passphrase_change_unsupported: The backup driver of this installation cannot change passphrases.`;

const earlierKeys = 'Keys that were exported earlier still open with the old passphrase.';

/** The old passphrase stays stored until the new one, which was stored with the job, opened the repository. */
async function change(needs: MaintenanceNeeds, context: JobContext, resumed: boolean): Promise<JobResult> {
  const { job, repository } = context;
  const { driver, storage } = needs;
  if (!driver.changePassphrase) return { status: 'failed', error: cannotChange };
  if (repository.mode === 'observe') return { status: 'failed', error: observedOnly() };
  const next = openNext(needs.secrets, repository);
  if (next === null) return changed(context);
  const { target, release } = openTarget(needs, repository);
  const held = protectSecrets(needs.redactor, { passphrase: next, keyFile: null });
  // A cancellation in the middle would leave open which of the two opens it.
  const options = { ...context.toolOptions(), signal: context.lost };
  /** Opens it by either passphrase: true when only the new one does, which is then stored. */
  const isChanged = async () => {
    await driver.listArchives(target, {}, options);
    return (await findRepository(storage, { repository_id: repository.id })).next_passphrase === null;
  };
  const drop = () => inOwnTransaction(storage, job, (session) => noteNext(session, repository.id, null));
  let began = false;
  try {
    if (await isChanged()) return changed(context);
    if (resumed) return { status: 'failed', error: interrupted };
    context.signal.throwIfAborted();
    began = true;
    const { keyFile } = (await driver.changePassphrase(target, { passphrase: next }, options)).value;
    const renewed = { ...target, passphrase: next, keyFile: keyFile ?? target.keyFile };
    await driver.listArchives(renewed, {}, options);
    await takeNext(needs, repository.uid, keyFile);
    return changed(context);
  } catch (error) {
    if (resumed) throw error;
    if (began && (await isChanged())) return changed(context);
    await drop();
    if (isDriverError(error, 'passphrase_wrong') && !began) return { status: 'failed', error: wrongStored };
    throw error;
  } finally {
    held();
    release();
  }
}

function changed({ log }: JobContext): JobResult {
  log({ level: 'info', text: `The new passphrase opens the repository. ${earlierKeys}` });
  return { status: 'completed', progress: { percent: 100, message: null } };
}

const interrupted = say`passphrase_change_interrupted: Interrupted: Holdfast stopped before the passphrase was changed. The old one still opens the repository. Start the change again.`;
const wrongStored = say`passphrase_change_stored_wrong: Nothing was changed: the passphrase that Holdfast has stored does not open the repository. Store the right one first.`;

export const passphraseHandler = (needs: MaintenanceNeeds): JobHandler => ({
  kind: 'passphrase_change',
  lane: 'exclusive',
  recoversCancelled: true,
  run: (context) => change(needs, context, false),
  recover: (context) => change(needs, context, true),
  settle: ({ started_at }, _end, repository) => ({
    commit: async (session) => {
      if (started_at === null && repository) await noteNext(session, repository.id, null);
    },
  }),
});

/**
 * Throws as `startManually`; `invalid` without encryption and for the same passphrase; `conflict` while the outcome of
 * another change is open.
 */
export async function changePassphrase(
  needs: MaintenanceNeeds,
  caller: Caller,
  repositoryId: number,
  { passphrase }: PassphraseChange,
) {
  if (!needs.driver.changePassphrase) throw invalid(cannotChange);
  const release = protectSecrets(needs.redactor, { passphrase, keyFile: null });
  try {
    const { uid, next_passphrase: left } = await settled(needs, repositoryId);
    const { passphrase: sealed } = sealSecrets(needs.secrets, uid, { passphrase, keyFile: null });
    const answer = await startManually(needs, caller, {
      kind: 'passphrase_change',
      what: 'Change of the passphrase',
      repositoryId,
      parameters: {},
      writes: true,
      validate: (_, row) => {
        assertNew(needs, row, passphrase);
        if (row.next_passphrase !== left) throw conflict(unsettled);
      },
      store: (session) => noteNext(session, repositoryId, sealed),
    });
    return { ...answer, message: `${answer.message} ${earlierKeys}` };
  } finally {
    release();
  }
}

/** What an interrupted change left open is decided before another one begins. */
async function settled(needs: MaintenanceNeeds, repositoryId: number): Promise<RepositoryRow> {
  const row = await findRepository(needs.storage, { repository_id: repositoryId });
  if (row.next_passphrase === null) return row;
  const { target, release } = openTarget(needs, row);
  try {
    await needs.driver.listArchives(target, {}, { bypassLock: true });
  } catch (error) {
    throw toolFailure(error);
  } finally {
    release();
  }
  return findRepository(needs.storage, { repository_id: repositoryId });
}

function assertNew({ secrets }: MaintenanceNeeds, row: RepositoryRow, passphrase: string): void {
  requirePassphrase(row);
  if (openSecrets(secrets, row).passphrase === passphrase)
    throw invalid(say`passphrase_unchanged: The repository already has this passphrase.`);
}

const unsettled = say`passphrase_change_open: Another change of the passphrase has not ended yet. Try again when it has.`;
