import { browseFolder } from './browse-folder.js';
import type { PlacesNeeds } from './needs.js';
import { preflight } from './preflight.js';

export const placesUseCases = (dependencies: PlacesNeeds) => ({
  browseFolder: browseFolder(dependencies),
  preflight: preflight(dependencies),
});
