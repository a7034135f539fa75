import type { ImportCounts, ImportedObject } from '@holdfast/contracts';
import { shownReason } from '../../../foundation/kernel/index.js';
import type { Planned } from './apply.js';

export const objectView = ({ why, ...planned }: Planned): ImportedObject => ({
  ...planned,
  ...shownReason(why),
});

export function summaryOf(objects: readonly Planned[], dryRun: boolean) {
  const counts: ImportCounts = { create: 0, change: 0, unchanged: 0, cannot: 0 };
  for (const { action } of objects) counts[action]++;
  const { create, change, unchanged, cannot } = counts;
  const [made, changed] = dryRun ? ['to create', 'to update'] : ['created', 'updated'];
  const message =
    create + change === 0 && cannot === 0
      ? 'Everything already exists: there is nothing to change.'
      : `${create} ${made}, ${change} ${changed}, ${unchanged} unchanged, ${cannot} skipped.`;
  return { counts, message };
}
