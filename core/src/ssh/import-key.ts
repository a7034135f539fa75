import type { SshKeyText, SshKeyToImport } from '@holdfast/contracts';
import { invalid } from '../kernel/index.js';
import type { KeyProblem, SshKeyPair } from '../ports/key-tool.js';
import type { KeyTurn } from './install-key.js';
import { type KeySetupNeeds, keyComment, publishKeyFiles, viewKey } from './keys.js';
import type { SshNeeds } from './needs.js';
import { refuseSecondKey, storeKey } from './store-key.js';

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
  { keyTool }: Pick<SshNeeds, 'keyTool'>,
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

const problems: Record<KeyProblem, string> = {
  unreadable: 'This is not a readable private key: name one in OpenSSH or PEM format.',
  passphrase_needed: 'This private key is encrypted: send its passphrase as `passphrase`.',
  passphrase_wrong: 'The passphrase does not open this private key: send the right one as `passphrase`.',
  public_key: 'This is a public key: name the private one that belongs to it.',
  key_weak: 'This RSA key is too short: it must have at least 3072 bits.',
  type: 'This private key is of another type: use rsa, ed25519 or ecdsa.',
};

const unreadableKey = () => invalid(problems.unreadable);

export interface KeyTexts {
  privateKey: string;
  passphrase?: string | undefined;
  /** Must belong to the private key when given. */
  publicKey?: string | null | undefined;
}

/** The pair in a text. AppError `invalid`. */
export function readPrivateKey(
  { keyTool }: Pick<SshNeeds, 'keyTool'>,
  { privateKey, passphrase, publicKey }: KeyTexts,
): SshKeyPair {
  const pair = keyTool.read(privateKey, { passphrase, comment: keyComment });
  if ('problem' in pair) throw invalid(problems[pair.problem]);
  if (publicKey == null) return pair;
  const given = keyTool.readPublic(publicKey);
  if (!given) throw invalid('The public key is not readable: name the one of this private key, or none.');
  if (given.fingerprint !== pair.fingerprint) {
    throw invalid('The public key does not belong to this private key: name its own, or none.');
  }
  return pair;
}
