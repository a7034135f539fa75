import { storedMessage } from '../../foundation/kernel/index.js';
import type { SourcesNeeds } from './needs.js';
import { saidBy } from './said-by.js';
import type { SourceJournal, SourceState } from './tables.js';

export const currentOf = (journal: SourceJournal, { uid }: SourceState): SourceState =>
  journal.states().find((one) => one.uid === uid) as SourceState;

/** The archive lacks the source, or has it damaged. */
export async function recordFailure(
  needs: Pick<SourcesNeeds, 'redactor'>,
  { journal, state, error }: { journal: SourceJournal; state: SourceState; error: unknown },
): Promise<SourceState> {
  const failure = storedMessage(saidBy(needs, error));
  const failed = { ...currentOf(journal, state), dumps: [], paths: [], failure };
  await journal.write(failed);
  return failed;
}
