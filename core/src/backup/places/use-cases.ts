import { browseFolder } from './browse-folder.js';
import type { PlacesNeeds } from './needs.js';
import { preflight, type ScriptsOf } from './preflight.js';

export const placesUseCases = (dependencies: PlacesNeeds, scriptsOf: ScriptsOf) => ({
  browseFolder: browseFolder(dependencies),
  preflight: preflight(dependencies, scriptsOf),
});
