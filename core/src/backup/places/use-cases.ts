import type { DiskList } from '@holdfast/contracts';
import { escapeName } from '../../foundation/kernel/index.js';
import { browseFolder } from './browse-folder.js';
import type { PlacesNeeds } from './needs.js';
import { preflight, type ScriptsOf } from './preflight.js';

export const placesUseCases = (dependencies: PlacesNeeds, scriptsOf: ScriptsOf) => ({
  browseFolder: browseFolder(dependencies),
  listDisks: listDisks(dependencies),
  preflight: preflight(dependencies, scriptsOf),
});

/** The disks and network folders of this machine, those with the most free space first. */
const listDisks =
  ({ files, settings }: PlacesNeeds) =>
  async (): Promise<DiskList> => {
    const found = await files.disks(settings.dataDirectory);
    const disks = found
      .map(({ mount, mounts, total, free, ...disk }) => ({
        ...disk,
        mount: escapeName(mount),
        mounts: mounts.map(escapeName),
        total_bytes: total,
        free_bytes: free,
      }))
      .sort((a, b) => (b.free_bytes ?? -1) - (a.free_bytes ?? -1));
    return { success: true, disks };
  };
