import { conflict, say } from '../../../foundation/kernel/index.js';
import { openUp, readJournal, writeJournal } from './journal.fs.js';
import { perform, undo } from './moves.fs.js';
import type { Stage } from './stage.js';
import { closeStaging, makeStaging, openStaging, removeStaging, type Staging } from './staging.fs.js';
import { canSetOwners } from './target-files.fs.js';

/**
 * A local working folder. It is held open from its creation, or from the first access to one that an earlier
 * process left.
 */
export function localStage(folder: string): Stage {
  let held: Staging | null = null;
  const made = (): Staging => {
    if (!held)
      throw conflict(say`restore_folder_missing: ${{ path: folder }} does not exist: restore again.`);
    return held;
  };
  const follow = async (work: typeof perform): Promise<void> => {
    held ??= await openStaging(folder);
    const journal = held && (await readJournal(held));
    if (held && journal) await work(held, journal);
  };
  const close = async (): Promise<void> => {
    const open = held;
    held = null;
    if (open) await closeStaging(open);
  };
  return {
    get tree() {
      return made().tree.path;
    },
    make: async () => {
      held = await makeStaging(folder);
    },
    // Root has access anyway.
    openUp: async () => (canSetOwners() ? new Map() : openUp(made().tree.path)),
    // The tool extracts on the target's file system.
    deliver: () => Promise.resolve([]),
    lacks: (lacks) => lacks,
    writeJournal: (journal) => writeJournal(made(), journal),
    perform: () => follow(perform),
    undo: () => follow(undo),
    async remove() {
      await removeStaging(folder, held);
      await close();
    },
    close,
  };
}
