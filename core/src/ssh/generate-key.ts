import type { NewSshKey } from '@holdfast/contracts';
import type { Dependencies } from '../dependencies.js';
import type { KeyTurn } from './key-turn.js';
import { refuseSecondKey, storeKey } from './store-key.js';
import { viewKey } from './view-key.js';
import { publishKeyFiles } from './write-key-files.js';

export type KeySetupNeeds = Pick<
  Dependencies,
  'storage' | 'secrets' | 'clock' | 'keyTool' | 'sshFiles' | 'log'
>;

/** The comment in the public key, so that people recognise the line on a host. */
export const keyComment = 'holdfast';

/** Makes the system key. AppError `conflict` when there is one. */
export const generateKey =
  (needs: KeySetupNeeds, turn: KeyTurn) =>
  ({ name, key_type, description }: NewSshKey) =>
    turn(async () => {
      const { storage, keyTool } = needs;
      await refuseSecondKey(storage);
      const pair = await keyTool.generate(key_type, keyComment);
      const key = await storeKey(needs, storage, { name, description, pair });
      await publishKeyFiles(needs, key);
      const message = `SSH key ${name} was made: copy it to hosts with deploy.`;
      return { success: true as const, message, ssh_key: await viewKey(storage, key) };
    });
