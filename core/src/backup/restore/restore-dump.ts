import { dirname, resolve } from 'node:path';
import { Transform } from 'node:stream';
import type { RestoreDumpInput } from '@holdfast/contracts';
import type { JobContext, JobResult } from '../../engine/jobs/index.js';
import {
  type Caller,
  inTransaction,
  invalid,
  isAppError,
  requireConfirmation,
  say,
} from '../../foundation/kernel/index.js';
import { findArchive, parseArchivePath } from '../archives/index.js';
import {
  findRepository,
  kindOf,
  openedSettings,
  openTarget,
  requireRightToFiles,
  shownSources,
  storedSources,
} from '../repositories/index.js';
import type { RepositoryRow, StoredSource } from '../repositories/tables.js';
import { type DumpPlace, dumpAt, hostNameOf, hostOf, saidBy } from '../sources/index.js';
import type { RestoreNeeds } from './needs.js';
import type { DumpOrder, RestoreParameters } from './restore.rules.js';
import { assertFileNotReserved } from './targets.js';

/** Throws AppError `invalid` unless the path is that of a dump that its kind of source can restore. */
function restorable(needs: RestoreNeeds, path: string): DumpPlace {
  const place = dumpAt(path);
  if (!place)
    throw invalid(
      say`not_a_dump: ${{ path }} is not the dump of a database: choose a file below holdfast-sources.`,
    );
  if (kindOf(needs, place.kind).restore) return place;
  throw invalid(say`dump_kind_without_restore: Sources of kind ${{ kind: place.kind }} can't restore dumps.`);
}

/** The settings of the request; otherwise those of the source that made the dump. */
function serverOf(
  needs: RestoreNeeds,
  { sources, source_connection_id }: RepositoryRow,
  { kind, source: name }: DumpPlace,
  { source: given, connection_id }: Pick<RestoreDumpInput, 'source' | 'connection_id'>,
): StoredSource {
  const made = sources.filter((one) => one.kind === kind && one.name === name);
  const moves = connection_id != null && connection_id !== source_connection_id;
  const asked = given ? [{ ...given, kind }] : shownSources(made);
  const [found] = given || moves ? storedSources(needs, asked, sources, moves) : made;
  if (found) return found;
  throw invalid(
    say`dump_source_removed: The repository has no source ${{ source: name }} any more: send its settings in source.`,
  );
}

/** Throws AppError `invalid` when the dump would take the place of what the service needs. */
async function refuseOwn(needs: RestoreNeeds, { name, into, server }: DumpOrder): Promise<void> {
  // A dump that is named like a file becomes one.
  if (name.startsWith('/') || into.startsWith('/'))
    return assertFileNotReserved(needs, resolve(dirname(name), into));
  const { host = '/', port = '5432' } = server.settings;
  const isHere = /^(?:\/.*|localhost|127\.0\.0\.1|::1)$/.test(`${host}`) && port === '5432';
  if (server.kind === 'postgresql' && isHere && into === needs.settings.ownDatabase)
    throw invalid(say`dump_into_own_database: ${{ into }} is the database of Holdfast: choose another name.`);
}

/** Queues a job. Throws AppError `not_found`, `invalid`, `confirmation_required`. */
export async function startDumpRestore(needs: RestoreNeeds, caller: Caller, input: RestoreDumpInput) {
  const path = parseArchivePath(input.path, 'path');
  const place = restorable(needs, path);
  const { into, replace } = input;
  if (replace !== undefined && replace !== into)
    throw invalid(say`dump_replace_mismatch: To replace ${{ into }}, send the same name in replace.`);
  const { repository: found, archive } = await findArchive(needs, input);
  const server = serverOf(needs, found, place, input);
  const connectionId = input.connection_id ?? found.source_connection_id;
  const destinationHost = await hostNameOf(needs, connectionId);
  const dump = { ...place, server, into, replace: replace !== undefined };
  if (connectionId === null && server.container === null) await refuseOwn(needs, dump);
  const waitsFor = await needs.jobs.waitsFor(found.id);
  const job = await inTransaction(needs.storage, async (session) => {
    const repository = await findRepository(session, { repository_id: found.id });
    const now = needs.clock.now();
    requireRightToFiles(caller, repository, now);
    if (replace !== undefined) requireConfirmation(caller, now);
    const parameters: RestoreParameters = {
      repositoryId: repository.id,
      archive: archive.name,
      archiveId: archive.tool_id,
      paths: [path],
      destinationConnectionId: connectionId,
      destinationHost,
      destination: into,
      stripComponents: 0,
      overwrite: dump.replace,
      skipExisting: false,
      planId: null,
      dump,
    };
    const requestedBy = caller.username;
    return needs.jobs.insert({ kind: 'restore', repository, parameters, requestedBy }, session);
  });
  needs.jobs.wake(job.id);
  const message = waitsFor ? `Restore queued; it waits for ${waitsFor}.` : 'Restore queued.';
  return { success: true as const, job_id: job.id, status: 'pending' as const, message };
}

export async function restoreDump(
  needs: RestoreNeeds,
  context: JobContext,
  {
    archive,
    paths: [path = ''],
    destinationConnectionId: connectionId,
    dump,
  }: RestoreParameters & { dump: DumpOrder },
): Promise<JobResult> {
  const { repository, signal } = context;
  const { server, into, replace, kind, name } = dump;
  const log = (level: 'info' | 'warning', text: string) => context.log({ level, text });
  const { target, release } = openTarget(needs, repository);
  const { settings, release: forget } = openedSettings(needs, server);
  let bytes = 0;
  const open = () => {
    const options = { ...context.toolOptions(), bypassLock: repository.bypass_lock };
    bytes = 0;
    const counted = new Transform({
      transform(piece: Buffer, _encoding, done) {
        bytes += piece.length;
        context.progress({ originalSize: bytes });
        done(null, piece);
      },
    });
    const content = needs.driver.readFile(target, { archive, path }, options);
    content.on('error', (error) => counted.destroy(error));
    return content.pipe(counted);
  };
  try {
    const place = { connectionId, container: server.container };
    const host = await hostOf(needs, place, { signal, log: (line) => log('info', `  ! ${line}`) });
    restorable(needs, path);
    const plugin = kindOf(needs, kind);
    context.progress({ message: `Restoring ${name} into ${into}` });
    const text = await plugin.restore?.(settings, { name, open }, { into, replace }, { host, signal, log });
    if (text) log('info', text.text);
    const outcome = { restored: 1, replaced: replace ? 1 : 0, kept: 0, bytes, warning: null };
    return { status: 'completed', outcome, progress: { percent: 100, message: null } };
  } catch (error) {
    signal.throwIfAborted();
    if (isAppError(error)) throw error;
    return { status: 'failed', error: saidBy(needs, error) };
  } finally {
    forget();
    release();
  }
}

/** The plugin may have been at any step; what it left beside the database is removed by the next restore. */
export const dumpRestoreInterrupted = ({ into }: DumpOrder): JobResult => ({
  status: 'failed',
  error: say`dump_restore_interrupted: Interrupted: Holdfast stopped while ${{ into }} was being restored. Start the restore again.`,
});
