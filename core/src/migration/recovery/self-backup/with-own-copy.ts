import { join } from 'node:path';
import { isStoreError } from '@holdfast/plugin-api';
import type { JobContext, JobHandler, JobResult } from '../../../engine/jobs/index.js';
import { AppError, humanSize, invalid, isAppError, say } from '../../../foundation/kernel/index.js';
import type { RecoveryNeeds } from '../needs.js';
import { type Copying, sizeOfCopy, writeCopy } from './copy.fs.js';
import { copyFolder } from './manifest.rules.js';
import { makeOwnFolder, ownFolderOf, sweepOwnFolder } from './own-folder.fs.js';

type Needs = Pick<Copying, 'schema'> & RecoveryNeeds;

/** Space that a copy leaves free on the disk of the data folder, which the database needs too. */
const reserve = 64 * 1024 * 1024;

/** Wraps the backup handler: makes a fresh copy of the service before each self-backup. */
export function withOwnCopy(needs: Needs, handler: JobHandler): JobHandler {
  const { dataDirectory } = needs.settings;
  const swept = async (context: JobContext, work: () => Promise<JobResult>): Promise<JobResult> => {
    try {
      return await work();
    } finally {
      // With the lease, another instance took over the folder.
      if (!context.lost.aborted) await sweep(needs);
    }
  };
  const ofOwn = (context: JobContext): JobContext => ({
    ...context,
    repository: {
      ...context.repository,
      source_directories: [ownFolderOf(dataDirectory)],
      source_connection_id: null,
      exclude_patterns: [],
      custom_flags: null,
    },
  });
  return {
    ...handler,
    run: async (context) => {
      if (!context.repository.self_backup) return handler.run(context);
      return swept(context, async () => {
        await makeCopy(needs, context);
        return handler.run(ofOwn(context));
      });
    },
    recover: async (context) => {
      if (!context.repository.self_backup) return handler.recover(context);
      // The folder is missing on a recovered machine.
      await makeOwnFolder(dataDirectory);
      return swept(context, () => handler.recover(ofOwn(context)));
    },
  };
}

async function makeCopy(needs: Needs, context: JobContext): Promise<void> {
  const { files, settings } = needs;
  const folder = await makeOwnFolder(settings.dataDirectory);
  await sweepOwnFolder(settings.dataDirectory);
  const needed = (await sizeOfCopy(needs)) + reserve;
  const space = await files.space(folder);
  if (space && space.free < needed) {
    const { free } = space;
    throw invalid(
      say`self_backup_without_space: The copy of Holdfast itself needs ${{ needed: humanSize(needed) }} in ${{ folder }}, which has ${{ free: humanSize(free) }} free: free some space on the disk of the data folder.`,
    );
  }
  context.progress({ message: 'Copying the database, the secret key and the data of plugins' });
  context.log({ level: 'info', text: 'Copying the database, the secret key and the data of plugins' });
  await writeCopy({ ...needs, gently: true }, join(folder, copyFolder), { signal: context.signal }).catch(
    (error: unknown) => {
      throw context.signal.aborted ? error : copyFailed(error);
    },
  );
  context.progress({ message: null });
}

/** Failures that users can fix, such as a missing program or a full disk. */
function copyFailed(error: unknown): unknown {
  if (isAppError(error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  const problem = isStoreError(error) ? error.message : (code ?? null);
  if (problem === null) return error;
  const message = say`self_backup_copy_failed: The copy of Holdfast itself could not be made: ${{ problem }}`;
  return new AppError('internal', message, { cause: error });
}

async function sweep({ log, settings }: Needs): Promise<void> {
  await sweepOwnFolder(settings.dataDirectory).catch((error: unknown) =>
    log.error('a copy of Holdfast itself could not be removed', { error }),
  );
}
