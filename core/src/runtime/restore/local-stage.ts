import { perform, readJournal, undo, writeJournal } from './moves.js';
import type { Stage } from './stage.js';
import { makeStaging, removeStaging, stagingAt } from './staging.js';

/** A working folder on this machine. */
export function localStage(folder: string): Stage {
  const staging = stagingAt(folder);
  return {
    tree: staging.tree,
    make: async () => void (await makeStaging(folder)),
    // The tool extracts on the target's file system.
    deliver: () => Promise.resolve([]),
    writeJournal: (journal) => writeJournal(staging, journal),
    async perform() {
      const journal = await readJournal(staging);
      if (journal) await perform(staging, journal);
    },
    async undo() {
      const journal = await readJournal(staging);
      if (journal) await undo(staging, journal);
    },
    remove: () => removeStaging(folder),
  };
}
