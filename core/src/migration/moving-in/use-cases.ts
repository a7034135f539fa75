import type { RecallRepository } from '../../backup/repositories/index.js';
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
  discover: discover(dependencies),
  importMany: importMany(dependencies, elsewhere.recall),
  openFound: openFound(dependencies),
  showDiscovery: showDiscovery(dependencies),
  suggest: suggest(dependencies),
  takeOver: takeOver(dependencies),
});
