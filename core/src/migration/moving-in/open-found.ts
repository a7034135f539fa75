import type { OpenAnswer, OpenedRepository, OpenInput } from '@holdfast/contracts';
import { isDriverError, type RepositoryContents, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import {
  asCandidate,
  contentsOf,
  isCheckpointName,
  protectSecrets,
  toolFailure,
} from '../../backup/repositories/index.js';
import { findJob } from '../../engine/jobs/index.js';
import {
  isAppError,
  isoTime,
  type Message,
  messageOf,
  notFound,
  say,
  storedMessage,
} from '../../foundation/kernel/index.js';
import { foundViews, placesOf } from './discover.js';
import { fewAtOnce } from './few-at-once.js';
import type { MovingInNeeds } from './needs.js';
import { type FoundRow, foundRepositories } from './tables.js';

interface Secrets {
  passphrase: string | null;
  keyFile: string | null;
}

/** Longer than a slow host needs to answer. */
const longestMs = 60_000;

/**
 * Opens repositories that a discovery found, without a lock so that nothing is written, and stores no
 * secrets. Throws AppError `not_found` for an unknown discovery or path.
 */
export async function openFound(needs: MovingInNeeds, jobId: number, input: OpenInput): Promise<OpenAnswer> {
  const { storage } = needs;
  const job = await findJob(storage, 'discovery', jobId);
  const place = await placesOf(storage, job);
  const { chosen, next } = await choose(needs, jobId, input);
  const isLeft = (row: FoundRow) => place.registrationsOf(row).registered === null;
  const tried = input.passphrases ? chosen : chosen.filter(({ row }) => isLeft(row));
  await fewAtOnce(tried, async ({ row, secrets }) => {
    const location = place.locationOf(row.path);
    const result = location
      ? await openOne(needs, { location, connectionId: place.connection?.id ?? null, secrets })
      : { opened: null, open_error: connectionGone };
    const is_closed = result.opened === null;
    const open_error = result.open_error && storedMessage(result.open_error);
    await storage.update(foundRepositories, { id: row.id }, { ...result, open_error, is_closed });
  });
  const ids = tried.map(({ row }) => row.id);
  const where = { job_id: jobId, id: { in: ids } };
  const rows = await storage.find(foundRepositories, { where, order: [['id', 'asc']] });
  const opened = rows.filter((row) => row.opened !== null).length;
  return {
    success: true,
    message: `${opened} of ${rows.length} repositories were opened.`,
    found: await foundViews(storage, job, rows),
    opened_count: opened,
    next_after: next,
  };
}

const connectionGone = say`found_connection_gone: Its connection was removed.`;

async function choose({ storage }: MovingInNeeds, jobId: number, input: OpenInput) {
  const { passphrase = null, passphrases, after, limit } = input;
  if (passphrases) {
    const chosen: { row: FoundRow; secrets: Secrets }[] = [];
    for (const { path, passphrase: own = null, keyfile_content = null } of passphrases) {
      const [row] = await storage.find(foundRepositories, { where: { job_id: jobId, path }, limit: 1 });
      if (!row) throw notFound(say`found_path_unknown: This search found no repository at ${{ path }}.`);
      if (row.broken === null)
        chosen.push({ row, secrets: { passphrase: own ?? passphrase, keyFile: keyfile_content || null } });
    }
    return { chosen, next: null };
  }
  const rows = await storage.find(foundRepositories, {
    where: { job_id: jobId, id: { gt: after ?? 0 }, is_closed: true },
    order: [['id', 'asc']],
    limit: limit + 1,
  });
  const chosen = rows.slice(0, limit).map((row) => ({ row, secrets: { passphrase, keyFile: null } }));
  return { chosen, next: rows.length > limit ? (chosen.at(-1)?.row.id ?? null) : null };
}

interface Candidate {
  location: string;
  connectionId: number | null;
  secrets: Secrets;
}

/** Returns errors of the tool as a result; does not reject for them. */
async function openOne(
  needs: MovingInNeeds,
  { location, connectionId, secrets }: Candidate,
): Promise<{ opened: OpenedRepository | null; open_error: Message | null }> {
  const { driver, redactor } = needs;
  const release = protectSecrets(redactor, secrets);
  try {
    const { contents } = await asCandidate(needs, (uid) => {
      const target: RepositoryTarget = { uid, location, ...secrets, remoteToolPath: null, connectionId };
      return contentsOf(driver, target, { bypassLock: true, signal: AbortSignal.timeout(longestMs) });
    });
    return { opened: openedView(contents), open_error: null };
  } catch (error) {
    const failure = isDriverError(error) ? toolFailure(error) : error;
    if (!isAppError(failure)) throw failure;
    const message = isDriverError(error, 'cancelled') ? tooSlow : messageOf(failure);
    return { opened: null, open_error: message.map((text) => redactor.redact(text)) };
  } finally {
    release();
  }
}

const tooSlow = say`found_too_slow: It could not be opened within a minute: open it on its own.`;

const mostHosts = 10;

function openedView({ encryption, archives }: RepositoryContents): OpenedRepository {
  const made = archives.filter(({ name }) => !isCheckpointName(name));
  const starts = made.map(({ start }) => start);
  const newestFirst = made.toSorted((a, b) => b.start - a.start);
  return {
    encryption,
    archive_count: made.length,
    newest_archive: starts.length === 0 ? null : isoTime(newestFirst[0]?.start ?? null),
    oldest_archive: starts.length === 0 ? null : isoTime(newestFirst.at(-1)?.start ?? null),
    hostnames: [...new Set(newestFirst.map(({ hostname }) => hostname))].slice(0, mostHosts),
  };
}
