import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, conflict, DriverError, isDriverError } from '../../kernel/errors.js';
import type { SourceHost } from '../../ports/backup-driver.js';
import type { TreePacker } from '../../ports/tree-packer.js';
import { openUp } from '../stage/open-up.js';
import { removePath } from '../stage/remove-tree.js';
import type { Stage } from '../stage/stage.js';
import { hostCommand } from './host-session.js';
import { journalLines } from './journal-lines.js';
import { onHost } from './on-host.js';
import { patiently } from './patiently.js';
import { receive } from './receive.js';

export interface RemotePlace {
  /** Opens the host anew: one call for each connection that was lost. Rejects with DriverError. */
  host(): Promise<SourceHost>;
  trees: TreePacker;
  /** The working folder there. */
  folder: string;
  /** A folder of its own here: the files pass through it. */
  local: string;
}

/**
 * A working folder on a host. The tool extracts here, for only so every attribute is kept; then all goes there in one
 * stream. What is done to the target is done by one program on the host, which ends also without us.
 */
export function remoteStage(place: RemotePlace): Stage {
  const { folder, local } = place;
  const tree = join(local, 'tree');
  const tell = async (verb: string, input?: Iterable<string>): Promise<string> =>
    onHost(await place.host(), { command: hostCommand(verb, folder), input });
  return {
    tree,
    async make() {
      await removePath(local);
      await mkdir(tree, { recursive: true, mode: 0o700 });
      await tell('make').catch(async (error: unknown) => {
        await removePath(local);
        // Nobody knows whether it was still made.
        if (isDriverError(error, 'connection')) await patiently(() => tell('remove')).catch(() => undefined);
        throw error;
      });
    },
    // Who is root here need not be it there.
    openUp: () => openUp(tree),
    async deliver(signal) {
      const host = await place.host();
      return receive(host, { folder, tree, stream: place.trees.pack(tree, { signal }), signal });
    },
    writeJournal: async (journal) => void (await tell('journal', journalLines(journal))),
    async perform() {
      const said = await patiently(() => tell('commit'));
      if (said.startsWith('undone')) throw conflict(`${said.slice(7)} The target is as it was before.`);
      if (said.startsWith('torn')) throw torn(folder, said.slice(5));
      if (said !== 'done' && said !== 'gone') throw new DriverError('failed', `The host answered: ${said}`);
    },
    async undo() {
      const said = await patiently(() => tell('undo'));
      if (said.startsWith('torn')) throw torn(folder, said.slice(5));
    },
    async remove() {
      await removePath(local);
      await patiently(() => tell('remove'));
    },
    close: () => Promise.resolve(),
  };
}

const torn = (folder: string, reason: string): AppError =>
  new AppError(
    'internal',
    `Not all could be moved into place (${reason}), nor all taken back: what is missing lies in ${folder} on the host.`,
  );
