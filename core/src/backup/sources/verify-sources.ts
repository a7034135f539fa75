import { messageFrom } from '../../foundation/kernel/index.js';
import { kindOf } from '../repositories/index.js';
import type { SourcesNeeds } from './needs.js';
import { recordFailure } from './record-failure.js';
import type { Releasing } from './release-sources.js';
import { contextOf, withSettings } from './source-context.js';

/** Asks the sources that are still prepared whether the archive could read them to the end. */
export async function verifySources(
  needs: SourcesNeeds,
  { journal, sources, repository, log, signal }: Releasing,
): Promise<void> {
  for (const state of journal.states()) {
    const { undo, kind } = state;
    const source = sources.find(({ uid }) => uid === state.uid);
    if (!source || undo === null || state.failure !== null || state.released !== null) continue;
    try {
      await withSettings(needs, { source, signal }, async (settings) => {
        const context = await contextOf(needs, { signal, log, repository }, source);
        await kindOf(needs, kind).verify?.(settings, undo, context);
      });
    } catch (error) {
      if (signal.aborted) throw error;
      const { failure } = await recordFailure(needs, { journal, state, error });
      log({ level: 'error', text: `${source.name}: ${failure && messageFrom(failure).text}` });
    }
  }
}
