import { type ScheduleChanges, scheduleChanges, scheduleView } from '@holdfast/contracts';
import { ignoredFields } from '../repositories/ignored-fields.js';

const readOnly = Object.fromEntries(
  [...Object.keys(scheduleView.shape), 'next_runs'].map((field) => [field, 'was ignored: it is only read.']),
);

/** One sentence for each field of a body that was not taken; nothing when all were. */
export function writeWarnings(input: ScheduleChanges): { warnings?: string[] } {
  const warnings = [...ignoredFields(input, scheduleChanges, readOnly), ...ignoredSelectors(input)];
  return warnings.length > 0 ? { warnings } : {};
}

function ignoredSelectors({ repository_ids: ids, repository_id }: ScheduleChanges): string[] {
  if (!ids?.length || repository_id == null || ids.includes(repository_id)) return [];
  return [`repository_id ${repository_id} was ignored: repository_ids names the repositories.`];
}
