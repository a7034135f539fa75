import { findConnection, remoteFailure, usingConnection } from '../../backup/ssh/index.js';
import type { JobContext, JobHandler, JobKindFacts, JobResult } from '../../engine/jobs/index.js';
import { jobs } from '../../engine/jobs/index.js';
import {
  AppError,
  escapeName,
  inTransaction,
  isRemoteHostError,
  normalised,
  say,
  storedMessage,
} from '../../foundation/kernel/index.js';
import type { MovingInNeeds } from './needs.js';
import { searchHost } from './search-host.js';
import { foundRepositories } from './tables.js';
import { walkFolders } from './walk.fs.js';
import {
  type FoundRepository,
  kernelFolders,
  nameProblem,
  newTally,
  type WalkTally,
  walkLimits,
} from './walk.rules.js';

export interface DiscoveryParameters extends Record<string, unknown> {
  path: string;
  connectionId: number | null;
  depth: number;
}

export const discoveryHandler = (needs: MovingInNeeds): JobHandler => ({
  kind: 'discovery',
  lane: 'none',
  run: run.bind(null, needs),
  recover: recover.bind(null, needs),
  settle: () => ({}),
});

export const discoveryJobFacts: JobKindFacts = {
  about: ({ outcome }) => ({ found_count: typeof outcome?.found === 'number' ? outcome.found : null }),
  needsAdmin: () => true,
};

/** How many rows are written at once. */
const batch = 50;

async function run(needs: MovingInNeeds, context: JobContext): Promise<JobResult> {
  const { path, connectionId, depth } = context.job.parameters as DiscoveryParameters;
  const tally = newTally();
  const limits = { ...walkLimits, depth };
  const rows = batches(needs, context);
  const shown = setInterval(() => {
    context.progress(progressOf(tally));
    rows.flushSoon();
  }, 500);
  const search = { root: path, limits, tally, signal: context.signal, onFound: rows.add };
  try {
    if (connectionId === null) {
      await walkFolders({ ...search, root: normalised(path), skipped: skippedIn(needs, path) });
    } else await onHost(needs, connectionId, search);
  } catch (error) {
    context.signal.throwIfAborted();
    throw readable(error, path);
  } finally {
    clearInterval(shown);
    await rows.flush();
  }
  const { found, folders, unreadable, truncated } = tally;
  const warning = truncated
    ? say`discovery_truncated: A limit was reached before the search was complete: search individual folders.`
    : null;
  return {
    status: warning ? 'completed_with_warnings' : 'completed',
    error: warning,
    outcome: { found, folders, unreadable, truncated },
    progress: { ...progressOf(tally), percent: 100, currentPath: '', message: null },
  };
}

/** Keeps the results that were stored before the interruption, without another search. */
async function recover({ storage }: Pick<MovingInNeeds, 'storage'>, { job }: JobContext): Promise<JobResult> {
  const [counted] = await storage.aggregate(foundRepositories, {
    where: { job_id: job.id },
    measures: { count: { count: true } },
  });
  const found = counted?.count ?? 0;
  const { files: folders } = job.progress;
  return {
    status: 'failed',
    error: say`discovery_interrupted: Interrupted: Holdfast stopped while it searched for repositories. It had found ${{ found }}; search again for the others.`,
    outcome: { found, folders, unreadable: 0, truncated: true },
  };
}

async function onHost(
  needs: MovingInNeeds,
  connectionId: number,
  search: Omit<Parameters<typeof searchHost>[2], 'sftp'>,
): Promise<void> {
  const connection = await findConnection(needs.storage, connectionId);
  const sftp = connection.use_sftp_mode;
  await usingConnection(needs, connection, (account) =>
    searchHost(needs.remoteHost, account, { ...search, sftp }),
  );
}

/** Skips the data folder unless the user searches inside it. */
function skippedIn({ settings }: MovingInNeeds, path: string): ReadonlySet<string> {
  const own = settings.dataDirectory;
  const isInside = `${normalised(path)}/`.startsWith(`${own}/`);
  return new Set(isInside ? kernelFolders : [...kernelFolders, own]);
}

const progressOf = ({ folders, found, at }: WalkTally) => ({
  files: folders,
  currentPath: at,
  message: `${found} found`,
});

function readable(error: unknown, folder: string): unknown {
  if (error instanceof AppError) return error;
  if (isRemoteHostError(error)) return remoteFailure(error);
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') return error;
  return new AppError(
    'invalid',
    say`discovery_root_unreadable: The folder ${{ folder: escapeName(folder) }} can't be read: ${{ reason: code }}.`,
  );
}

/** Writes rows as long as the job is this run's own. */
function batches({ storage }: Pick<MovingInNeeds, 'storage'>, { job }: JobContext) {
  let waiting: FoundRepository[] = [];
  let failure: unknown = null;
  const write = (rows: readonly FoundRepository[]) =>
    inTransaction(storage, async (session) => {
      const own = { id: job.id, fence: job.fence, status: 'running' as const };
      if ((await session.find(jobs, { where: own, limit: 1 })).length === 0) return;
      for (const row of rows.map(rowOf)) await session.insert(foundRepositories, { job_id: job.id, ...row });
    });
  const flush = async () => {
    if (failure !== null) throw failure;
    const rows = waiting;
    waiting = [];
    if (rows.length > 0) await write(rows);
  };
  return {
    flush,
    flushSoon: () =>
      void flush().catch((error: unknown) => {
        failure = error;
      }),
    async add(found: FoundRepository) {
      waiting.push(found);
      if (waiting.length >= batch) await flush();
    },
  };
}

function rowOf({ path, toolId: tool_id, keyInside: key_inside, modified, ...found }: FoundRepository) {
  const broken = found.broken ?? nameProblem(path);
  const stored = broken && storedMessage(broken);
  const fresh = { broken: stored, is_closed: stored === null, opened: null, open_error: null };
  return { path, tool_id, key_inside, modified, ...fresh };
}
