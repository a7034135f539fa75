import { isAppError, type Pace, paces, type Repeated, repeat } from '../../../foundation/kernel/index.js';
import {
  type ArchiveIndex,
  type IndexedArchive,
  IndexFull,
} from '../../../foundation/ports/archive-index.js';
import { type ArchiveRow, archives, type RepositoryRow, repositories } from '../../repositories/tables.js';
import type { ArchivesNeeds } from '../needs.js';
import { interrupted, isWanted, readQuietly } from './read-quietly.js';
import { rememberArchive, whyNot } from './remember.js';

export interface IndexWorker {
  start(): void;
  /** Looks at every repository again. */
  begin(): Promise<void>;
  /** Brings the indexes closer to the inventories: one archive at most is read. False: nothing was left to do. */
  round(): Promise<boolean>;
  /** Starts nothing more, and interrupts the tool. */
  stop(): Promise<void>;
}

/** Older archives are added only below this part of the limit: otherwise they would be dropped at once. */
const fillTo = 0.9;

interface State {
  /** Ids of repositories whose inventory may have changed. */
  due: Set<number>;
  resting: Map<number, number>;
  /** Archives that are larger than the limit, or were dropped to keep it, by id of the tool. */
  leftOut: Set<string>;
  restMs: number;
  signal: AbortSignal;
}

/**
 * Keeps the index of each repository like its inventory, and below the limit. The newest archives are added first, one at
 * a time; the oldest are dropped first.
 */
export function makeIndexWorker(needs: ArchivesNeeds, times: Pace['index'] = paces.usual.index): IndexWorker {
  const { indexes, events, storage, log } = needs;
  const stopping = new AbortController();
  const state: State = {
    due: new Set(),
    resting: new Map(),
    leftOut: new Set(),
    restMs: times.rest,
    signal: stopping.signal,
  };
  let rounds: Repeated | undefined;
  let unfollow = () => {};
  const onError = (error: unknown, again: boolean) => {
    if (!again && !stopping.signal.aborted) log.warn('the index of archives was not updated', { error });
  };
  const round = async () => {
    for (const id of state.due) if (await work(needs, state, id)) return true;
    return false;
  };
  const rest = async () => {
    while (!stopping.signal.aborted && (await round()));
  };
  const begin = async () => {
    await removeUnknown(needs);
    for (const { id } of await storage.find(repositories)) state.due.add(id);
  };
  return {
    begin,
    round,
    start() {
      if (indexes.maxBytes === 0) return;
      unfollow = events.follow(
        ['archives_changed', 'repository_deleted'],
        async ({ repository_id, kind }) => {
          if (kind === 'repository_deleted')
            await removeUnknown(needs).catch((error) => onError(error, false));
          else if (repository_id !== null) state.due.add(repository_id);
        },
      );
      begin().catch((error: unknown) => onError(error, false));
      rounds = repeat(rest, { everyMs: times.lookEvery, onError, later: true });
    },
    async stop() {
      unfollow();
      stopping.abort();
      await rounds?.stop();
      await indexes.close();
    },
  };
}

/** True when an archive was read. */
async function work(needs: ArchivesNeeds, state: State, id: number): Promise<boolean> {
  const { storage, clock, log } = needs;
  if (state.signal.aborted || (state.resting.get(id) ?? 0) > clock.now()) return false;
  if (await isWanted(needs, id)) return false;
  const [repository] = await storage.find(repositories, { where: { id }, limit: 1 });
  if (!repository || repository.open_error !== null) {
    state.due.delete(id);
    return false;
  }
  const next = await compare(needs, state, repository);
  if (!next) {
    state.due.delete(id);
    return false;
  }
  try {
    const archive = { ...next, id: next.tool_id };
    const read = () =>
      readQuietly(needs, repository, {
        signal: state.signal,
        work: (target, options) => rememberArchive(needs, repository, { archive, target, options }),
      });
    await needs.lanes.withLane(id, 'the index of archives', read, 0);
    for (const id of await thin(needs)) state.leftOut.add(id);
  } catch (error) {
    // Something else uses the repository.
    if (error === interrupted || state.signal.aborted || isAppError(error)) return false;
    if (error instanceof IndexFull) state.leftOut.add(next.tool_id);
    else state.resting.set(id, clock.now() + state.restMs);
    log.info('an archive was not indexed', { repository: id, archive: next.name, reason: whyNot(error) });
  }
  return true;
}

/** Removes archives that are gone. The newest one that is missing, or null. */
async function compare(
  { storage, indexes }: ArchivesNeeds,
  { leftOut }: State,
  repository: RepositoryRow,
): Promise<ArchiveRow | null> {
  const rows = await storage.find(archives, {
    where: { repository_id: repository.id },
    order: [['start', 'desc']],
  });
  // A repository without archives needs no file.
  if (rows.length === 0) {
    await indexes.remove(repository.tool_id);
    return null;
  }
  const index = await indexes.open(repository.tool_id);
  const listed = new Set(rows.map(({ tool_id }) => tool_id));
  const indexed = await index.archives();
  const gone = indexed.filter(({ toolId }) => !listed.has(toolId)).map(({ toolId }) => toolId);
  if (gone.length > 0) await index.remove(gone);
  const holds = new Set(indexed.map(({ toolId }) => toolId));
  const missing = rows.filter(({ tool_id }) => !holds.has(tool_id) && !leftOut.has(tool_id));
  if (missing.length === 0) return null;
  const oldest = indexed.find(({ toolId }) => listed.has(toolId))?.start ?? Number.NEGATIVE_INFINITY;
  const isFull = (await totalOf(indexes)) > fillTo * indexes.maxBytes;
  return missing.find(({ start }) => !isFull || start > oldest) ?? null;
}

const totalOf = async (indexes: ArchivesNeeds['indexes']): Promise<number> =>
  [...(await indexes.sizes()).values()].reduce((sum, bytes) => sum + bytes, 0);

/** Drops the oldest archives, of all repositories, until the indexes together are below the limit. Returns their ids. */
async function thin({ indexes, log }: Pick<ArchivesNeeds, 'indexes' | 'log'>): Promise<string[]> {
  const ids: string[] = [];
  while ((await totalOf(indexes)) > indexes.maxBytes) {
    let first: { index: ArchiveIndex; all: IndexedArchive[] } | null = null;
    for (const id of (await indexes.sizes()).keys()) {
      const index = await indexes.open(id);
      const all = await index.archives();
      if (all.length > 1 && (first === null || startOf(all) < startOf(first.all))) first = { index, all };
    }
    if (!first) break;
    const dropped = first.all.slice(0, Math.ceil(first.all.length / 10)).map(({ toolId }) => toolId);
    await first.index.remove(dropped);
    ids.push(...dropped);
    log.info('the oldest archives were dropped from the index to keep it below INDEX_MAX_MB', {
      count: dropped.length,
    });
  }
  return ids;
}

const startOf = ([first]: readonly IndexedArchive[]): number => first?.start ?? 0;

/** Removes the indexes of repositories that are no longer registered. */
async function removeUnknown({ storage, indexes }: ArchivesNeeds): Promise<void> {
  const known = new Set((await storage.find(repositories)).map(({ tool_id }) => tool_id));
  for (const id of (await indexes.sizes()).keys()) if (!known.has(id)) await indexes.remove(id);
}
