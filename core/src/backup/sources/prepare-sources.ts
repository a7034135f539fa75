import { type ArchiveStream, isDriverError, type Overlay } from '@holdfast/plugin-api/driver';
import type { Dump, Prepared, Undo } from '@holdfast/plugin-api/source';
import type { JobContext } from '../../engine/jobs/index.js';
import { AppError, isAppError, messageFrom } from '../../foundation/kernel/index.js';
import { kindOf, openedSettings } from '../repositories/index.js';
import type { StoredSource } from '../repositories/tables.js';
import { checkedDump } from './checked-dump.js';
import { pathOfDump } from './dump-path.rules.js';
import type { SourcesNeeds } from './needs.js';
import { currentOf, recordFailure } from './record-failure.js';
import { releaseSources } from './release-sources.js';
import { saidBy } from './said-by.js';
import { contextOf, withSettings } from './source-context.js';
import { type StartableDump, startAll, startable } from './start-dumps.js';
import type { DumpInArchive, SourceJournal, SourceState } from './tables.js';
import { verifySources } from './verify-sources.js';

/** What a backup reads of one source, beside the folders of its repository. */
export interface PreparedSource {
  uid: string;
  paths: readonly string[];
  excludes: readonly string[];
  overlays: readonly Overlay[];
  streams: readonly ArchiveStream[];
}

export interface PreparedSources {
  parts: readonly PreparedSource[];
  journal: SourceJournal;
  /** Releases these before the archive is complete. Never rejects: what fails is tried again at the end. */
  releaseEarly(uids: readonly string[]): Promise<void>;
  /** Ends the dumps that were started and are not read. */
  end(): void;
  /** Call it when the archive is made: a source that did not stay whole until then counts as failed. */
  verify(): Promise<void>;
}

interface Preparing {
  context: JobContext;
  sources: readonly StoredSource[];
  journal: SourceJournal;
}

/**
 * Prepares every source, in order. One that fails is recorded and left out: the others are still backed up. Rejects only
 * when the job itself has to end.
 */
export async function prepareSources(
  needs: SourcesNeeds,
  { context, sources, journal }: Preparing,
): Promise<PreparedSources> {
  const parts: PreparedSource[] = [];
  const all: NamedDump[] = [];
  for (const source of sources) {
    context.signal.throwIfAborted();
    context.progress({ message: `Preparing ${source.name}` });
    const begun = needs.clock.now();
    const state = { ...blank(source), begun };
    await journal.write(state);
    try {
      const prepared = await prepareOne(needs, context, { source, journal, state });
      const dumps = namedDumps(source, prepared.dumps ?? []);
      const { paths = [], excludes = [], instead: overlays = [] } = prepared;
      const at = { dumps: dumps.map(({ at }) => at), paths: [...paths], prepared: needs.clock.now() };
      await journal.write({ ...currentOf(journal, state), ...at });
      const onFailure = (error: unknown) => recordFailure(needs, { journal, state, error });
      const streams = dumps.map((dump) => streamOf(needs, context, { ...dump, source, onFailure }));
      parts.push({ uid: source.uid, paths, excludes, overlays, streams });
      all.push(...dumps);
    } catch (error) {
      if (context.signal.aborted) throw error;
      const { failure } = await recordFailure(needs, { journal, state, error });
      context.log({
        level: 'error',
        text: `${source.name} is left out: ${failure && messageFrom(failure).text}`,
      });
    }
  }
  const { repository, log, signal } = context;
  const over = new AbortController();
  const opened: { release(): void }[] = [];
  const prepared: PreparedSources = {
    ...preparedBefore(needs, { context, sources, journal }),
    parts,
    async releaseEarly(uids) {
      const chosen = sources.filter(({ uid }) => uids.includes(uid));
      await releaseSources(needs, { journal, sources: chosen, repository, log, signal }).catch(() => {});
    },
    end: () => {
      over.abort();
      for (const { release } of opened.splice(0)) release();
    },
  };
  const held = journal.states().filter(({ undo, released }) => undo !== null && released === null);
  const stopped = parts.filter(
    ({ uid, paths, overlays, streams }) =>
      paths.length + overlays.length + streams.length === 0 && held.some((state) => state.uid === uid),
  );
  if (stopped.length > 0) {
    opened.push(...sources.map((source) => openedSettings(needs, source)));
    const until = AbortSignal.any([signal, over.signal]);
    const dumps = all.map(({ dump }) => dump);
    if (await startAll(dumps, { signal: until, stalledSeconds: stalledSecondsOf(needs) }))
      await prepared.releaseEarly(stopped.map(({ uid }) => uid));
  }
  context.progress({ message: null });
  return prepared;
}

/** Of a run that another process took over: only what its journal tells. */
export const preparedBefore = (
  needs: SourcesNeeds,
  { context: { repository, log, signal }, sources, journal }: Preparing,
): PreparedSources => ({
  parts: [],
  journal,
  releaseEarly: async () => {},
  end: () => {},
  verify: () => verifySources(needs, { journal, sources, repository, log, signal }),
});

/**
 * Streams for the archive. When the last one has been read, the sources that nothing else is read from are released:
 * a stopped container runs again while the folders are backed up.
 */
export function streamsOf({ parts, releaseEarly }: PreparedSources): ArchiveStream[] {
  const streams = parts.flatMap((part) => part.streams);
  const done = parts.filter(({ paths, overlays }) => paths.length + overlays.length === 0);
  const last = streams.at(-1);
  if (!last || done.length === 0) return streams;
  const open: ArchiveStream['open'] = async (signal, direct) => {
    const bytes = await last.open(signal, direct);
    return (async function* () {
      yield* bytes;
      await releaseEarly(done.map(({ uid }) => uid));
    })();
  };
  return [...streams.slice(0, -1), { ...last, open }];
}

const blank = ({ uid, kind, name }: StoredSource): SourceState => ({
  uid,
  kind,
  name,
  undo: null,
  dumps: [],
  paths: [],
  failure: null,
  begun: 0,
  prepared: null,
  released: null,
});

async function prepareOne(
  needs: SourcesNeeds,
  context: JobContext,
  { source, journal, state }: { source: StoredSource; journal: SourceJournal; state: SourceState },
): Promise<Prepared> {
  const plugin = kindOf(needs, source.kind);
  return withSettings(needs, { source, signal: context.signal }, async (settings) =>
    plugin.prepare(settings, {
      ...(await contextOf(needs, context, source)),
      folders: context.repository.source_directories,
      token: `holdfast-${context.job.uid ?? context.job.id}`.slice(0, 40),
      record: (undo: Undo) => journal.write({ ...currentOf(journal, state), undo }),
    }),
  );
}

interface NamedDump {
  dump: StartableDump;
  at: DumpInArchive;
}

const stalledSecondsOf = ({ settings }: SourcesNeeds) => settings.stalledPullSeconds ?? 1_800;

/** Stable and unique paths, whatever the names contain. */
function namedDumps({ kind, name }: StoredSource, dumps: readonly Dump[]): NamedDump[] {
  const taken = new Set<string>();
  return dumps.map((dump) => {
    const wanted = pathOfDump({ kind, source: name, name: dump.name });
    let path = wanted;
    for (let at = 2; taken.has(path); at += 1) path = `${wanted}-${at}`;
    taken.add(path);
    return { dump: startable(dump), at: { name: dump.name, path } };
  });
}

function streamOf(
  needs: SourcesNeeds,
  { signal, repository }: JobContext,
  {
    dump,
    at,
    source,
    onFailure,
  }: NamedDump & { source: StoredSource; onFailure(error: unknown): Promise<unknown> },
): ArchiveStream {
  const stalledSeconds = stalledSecondsOf(needs);
  const isLocal = repository.source_connection_id === null && source.container === null;
  return {
    path: at.path,
    async open(until, given) {
      const both = AbortSignal.any([signal, until]);
      // An end mark can't be checked in what does not pass here.
      const direct = isLocal && dump.endMark === undefined ? given : undefined;
      const bytes = checkedDump({ dump, label: dump.name, signal: both, stalledSeconds, direct });
      return (async function* () {
        const { release } = openedSettings(needs, source);
        try {
          yield* bytes;
        } catch (error) {
          if (both.aborted) throw error;
          await onFailure(error);
          // What a plugin says is for people: it must not end as an unexpected error.
          throw isAppError(error) || isDriverError(error)
            ? error
            : new AppError('internal', saidBy(needs, error), { cause: error });
        } finally {
          release();
        }
      })();
    },
  };
}

/** What is left after a dump failed while it was read; null when none did. */
export function withoutFailed(prepared: PreparedSources): PreparedSources | null {
  const failed = prepared.journal.states().filter(({ failure }) => failure !== null);
  const parts = prepared.parts.filter(({ uid }) => !failed.some((state) => state.uid === uid));
  return parts.length < prepared.parts.length ? { ...prepared, parts } : null;
}
