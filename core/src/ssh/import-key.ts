import type { SshKeyText, SshKeyToImport } from '@holdfast/contracts';
import { invalid } from '../kernel/errors.js';
import type { Dependencies } from '../dependencies.js';
import type { KeySetupNeeds } from './generate-key.js';
import type { KeyTurn } from './key-turn.js';
import { type KeyTexts, readPrivateKey, unreadableKey } from './read-private-key.js';
import { refuseSecondKey, storeKey } from './store-key.js';
import { viewKey } from './view-key.js';
import { publishKeyFiles } from './write-key-files.js';

/** Takes a private key file of this machine as the system key. AppError `conflict` when there is one, `invalid`. */
export const importKey =
  (needs: KeySetupNeeds, turn: KeyTurn) =>
  ({ name, description, passphrase, ...paths }: SshKeyToImport) =>
    take(needs, turn, {
      name,
      description: description ?? `Imported from ${paths.private_key_path}`,
      texts: async () => ({ ...(await readFiles(needs, paths)), passphrase }),
    });

/** The same with the private key in the request. */
export const importKeyText =
  (needs: KeySetupNeeds, turn: KeyTurn) =>
  ({ name, description, private_key, public_key, passphrase }: SshKeyText) =>
    take(needs, turn, {
      name,
      description,
      texts: async () => ({ privateKey: private_key, publicKey: public_key, passphrase }),
    });

interface Import {
  name: string;
  description: string | null | undefined;
  texts(): Promise<KeyTexts>;
}

const take = (needs: KeySetupNeeds, turn: KeyTurn, { name, description, texts }: Import) =>
  turn(async () => {
    const { storage } = needs;
    await refuseSecondKey(storage);
    const pair = readPrivateKey(needs, await texts());
    const key = await storeKey(needs, storage, { name, description, pair });
    await publishKeyFiles(needs, key);
    const message = `SSH key ${name} was imported.`;
    return { success: true as const, message, ssh_key: await viewKey(storage, key) };
  });

async function readFiles(
  { keyTool }: Pick<Dependencies, 'keyTool'>,
  { private_key_path, public_key_path }: Pick<SshKeyToImport, 'private_key_path' | 'public_key_path'>,
): Promise<KeyTexts> {
  const privateKey = await keyTool.readKeyFile(private_key_path);
  if (privateKey === null) throw unreadableKey();
  const publicKey = await keyTool.readKeyFile(public_key_path ?? `${private_key_path}.pub`);
  if (publicKey === null && public_key_path !== undefined) {
    throw invalid('The public key is not readable: name the one of this private key, or none.');
  }
  return { privateKey, publicKey };
}
