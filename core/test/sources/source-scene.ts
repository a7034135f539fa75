import { Readable } from 'node:stream';
import type { Dump, PrepareContext, Prepared, Source, Undo } from '@holdfast/plugin-api/source';
import type { RepositoryRow, StoredSource } from '../../src/backup/repositories/tables.js';
import {
  preparedBefore,
  prepareSources,
  type SourceJournal,
  type SourceState,
  type SourcesNeeds,
} from '../../src/backup/sources/index.js';
import { releaseSources } from '../../src/backup/sources/release-sources.js';
import type { JobContext } from '../../src/engine/jobs/index.js';
import { messageFrom } from '../../src/foundation/kernel/index.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { plainRedactor } from '../fakes/plain-redactor.js';
import { preparesNothing } from '../hooks/hook-scene.js';

export const dump = (name: string, text = `content of ${name}`, code: number | null = 0): Dump => ({
  name,
  open: async () => ({ output: Readable.from([Buffer.from(text)]), code: Promise.resolve(code) }),
});

interface Behaviour {
  prepare?(context: PrepareContext): Promise<Prepared>;
  verify?(undo: Undo): Promise<void>;
  release?(undo: Undo): Promise<void>;
}

/** Sources whose plugin is a function of the test, with a journal in memory. */
export function makeSourceScene() {
  const behaviour: Record<string, Behaviour> = {};
  /** What happened, in order. */
  const steps: string[] = [];
  const logged: string[] = [];
  const redactor = plainRedactor();
  const states = new Map<string, SourceState>();
  const journal: SourceJournal = {
    states: () => [...states.values()],
    async write(state) {
      steps.push(`${state.name} ${stepOf(state)}`);
      states.set(state.uid, structuredClone(state));
    },
  };
  const source: Source = {
    title: 'Fake',
    fields: [],
    check: async () => [],
    async prepare({ name = '' }, context) {
      steps.push(`${name} prepare`);
      return (await behaviour[name]?.prepare?.(context)) ?? {};
    },
    async verify({ name = '' }, undo) {
      steps.push(`${name} verify`);
      await behaviour[name]?.verify?.(undo);
    },
    async release({ name = '' }, undo) {
      steps.push(`${name} release`);
      await behaviour[name]?.release?.(undo);
    },
  };
  const needs: SourcesNeeds = {
    ...preparesNothing,
    storage: memoryStorage(),
    clock: manualClock(),
    log: {} as never,
    events: {} as never,
    redactor,
    secrets: { seal: (_, plain) => plain, open: (_, sealed) => sealed },
    sourceKinds: [{ id: 'fake', source }],
  };
  const stop = new AbortController();
  const repository = {
    source_connection_id: null,
    source_directories: ['/home'],
  } as unknown as RepositoryRow;
  const context = {
    job: { id: 7, uid: 'a-job' },
    repository,
    signal: stop.signal,
    progress: () => {},
    log: ({ text }: { text: string }) => logged.push(text),
  } as unknown as JobContext;
  const stored = (name: string): StoredSource => ({
    uid: `uid of ${name}`,
    kind: 'fake',
    name,
    container: null,
    settings: { name, password: { sealed: 'sesame-4711' } },
  });
  return {
    behaviour,
    steps,
    logged,
    journal,
    stop,
    redactor,
    /** As another process does. */
    verify: (...names: string[]) =>
      preparedBefore(needs, { context, sources: names.map(stored), journal }).verify(),
    prepare: (...names: string[]) => prepareSources(needs, { context, sources: names.map(stored), journal }),
    release: (...names: string[]) =>
      releaseSources(needs, {
        journal,
        sources: names.map(stored),
        repository,
        log: context.log,
        signal: stop.signal,
        pausesMs: [1, 1],
      }),
    stateOf: (name: string) => states.get(`uid of ${name}`),
    failureOf: (name: string) => {
      const failure = states.get(`uid of ${name}`)?.failure;
      return failure ? messageFrom(failure).text : null;
    },
    /** The names of what was done since the last call. */
    took: () => steps.splice(0),
  };
}

const stepOf = ({ failure, released, prepared, undo }: SourceState): string => {
  if (released !== null) return 'released';
  if (failure !== null) return 'failed';
  if (prepared !== null) return 'prepared';
  return undo === null ? 'begun' : `recorded ${Object.values(undo).join(' ')}`;
};
