import type { RecallRepository } from '../../backup/repositories/index.js';
import { useCasesOf } from '../../foundation/kernel/index.js';
import { discover, showDiscovery } from './discover.js';
import { importMany } from './import-many.js';
import type { MovingInNeeds } from './needs.js';
import { openFound } from './open-found.js';
import { suggest } from './suggestions.js';
import { takeOver } from './take-over.js';

export const movingInUseCases = (
  dependencies: MovingInNeeds,
  elsewhere: { recall: readonly RecallRepository[] },
) => ({
  ...useCasesOf(dependencies, {
    discover,
    openFound,
    showDiscovery,
    suggest,
    takeOver,
  }),
  importMany: importMany(dependencies, elsewhere.recall),
});
