import { browseFolder } from './browse-folder.js';
import { listDisks } from './list-disks.js';
import type { PlacesNeeds } from './needs.js';
import { preflight, type ScriptsOf } from './preflight.js';

export const placesUseCases = (dependencies: PlacesNeeds, scriptsOf: ScriptsOf) => ({
  browseFolder: browseFolder(dependencies),
  listDisks: listDisks(dependencies),
  preflight: preflight(dependencies, scriptsOf),
});
