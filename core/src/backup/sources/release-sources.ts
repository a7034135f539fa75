import { setTimeout as pause } from 'node:timers/promises';
import type { ToolLogLine } from '@holdfast/plugin-api/driver';
import { type Message, say } from '../../foundation/kernel/index.js';
import { kindOf } from '../repositories/index.js';
import type { RepositoryRow, StoredSource } from '../repositories/tables.js';
import type { SourcesNeeds } from './needs.js';
import { saidBy } from './said-by.js';
import { contextOf, withSettings } from './source-context.js';
import type { SourceJournal, SourceState } from './tables.js';

export interface Releasing {
  journal: SourceJournal;
  sources: readonly StoredSource[];
  repository: Pick<RepositoryRow, 'source_connection_id'>;
  log(line: ToolLogLine): void;
  signal: AbortSignal;
  /** Between the attempts. */
  pausesMs?: readonly number[];
}

/**
 * Releases what was prepared and not yet released, last first. Returns the sources that could not be released, one
 * sentence each: they stay in the journal for the next attempt.
 */
export async function releaseSources(needs: SourcesNeeds, releasing: Releasing): Promise<Message[]> {
  const problems: Message[] = [];
  for (const state of releasing.journal.states().toReversed()) {
    const source = releasing.sources.find(({ uid }) => uid === state.uid);
    if (state.released !== null || !source) continue;
    releasing.signal.throwIfAborted();
    try {
      if (state.undo !== null)
        await withRetries(releasing, () => releaseOne(needs, releasing, { source, state }));
      await releasing.journal.write({ ...state, undo: null, released: needs.clock.now() });
    } catch (error) {
      if (releasing.signal.aborted) throw error;
      const reason = saidBy(needs, error).text;
      const problem = say`source_not_released: ${{ source: state.name }} could not be released, and is tried again: ${{ reason }}`;
      releasing.log({ level: 'error', text: problem.text });
      problems.push(problem);
    }
  }
  return problems;
}

async function releaseOne(
  needs: SourcesNeeds,
  { repository, log, signal }: Releasing,
  { source, state: { kind, undo } }: { source: StoredSource; state: SourceState },
): Promise<void> {
  if (undo === null) return;
  await withSettings(needs, { source, signal }, async (settings) => {
    const context = await contextOf(needs, { signal, log, repository }, source);
    await kindOf(needs, kind).release(settings, undo, context);
  });
}

async function withRetries(
  { signal, pausesMs = [1_000, 4_000] }: Releasing,
  work: () => Promise<void>,
): Promise<void> {
  for (const wait of [...pausesMs, null]) {
    try {
      return await work();
    } catch (error) {
      if (wait === null) throw error;
      await pause(wait, undefined, { signal });
    }
  }
}
