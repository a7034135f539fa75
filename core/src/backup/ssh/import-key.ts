import type { SshKeyText, SshKeyToImport } from '@holdfast/contracts';
import { invalid, type Message, say } from '../../foundation/kernel/index.js';
import type { KeyProblem, SshKeyPair } from '../../foundation/ports/key-tool.js';
import type { KeyTurn } from './install-key.js';
import { type KeySetupNeeds, keyComment, publishKeyFiles, viewKey } from './keys.js';
import type { SshNeeds } from './needs.js';
import { refuseSecondKey, storeKey } from './store-key.js';

/**
 * Imports a private key file of this machine as the system key. Throws AppError `invalid`, or `conflict` when
 * there is a key.
 */
export function importKey(
  needs: KeySetupNeeds,
  turn: KeyTurn,
  { name, description, passphrase, ...paths }: SshKeyToImport,
) {
  return take(needs, turn, {
    name,
    description: description ?? `Imported from ${paths.private_key_path}`,
    texts: async () => ({ ...(await readFiles(needs, paths)), passphrase }),
  });
}

/** Imports a private key from the request, like `importKey`. */
export function importKeyText(
  needs: KeySetupNeeds,
  turn: KeyTurn,
  { name, description, private_key, public_key, passphrase }: SshKeyText,
) {
  return take(needs, turn, {
    name,
    description,
    texts: async () => ({ privateKey: private_key, publicKey: public_key, passphrase }),
  });
}

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
  { keyTool }: SshNeeds,
  { private_key_path, public_key_path }: Pick<SshKeyToImport, 'private_key_path' | 'public_key_path'>,
): Promise<KeyTexts> {
  const privateKey = await keyTool.readKeyFile(private_key_path);
  if (privateKey === null) throw unreadableKey();
  const publicKey = await keyTool.readKeyFile(public_key_path ?? `${private_key_path}.pub`);
  if (publicKey === null && public_key_path !== undefined) {
    throw unreadablePublicKey();
  }
  return { privateKey, publicKey };
}

const problems: Record<KeyProblem, Message> = {
  unreadable: say`private_key_unreadable: This is not a readable private key: send one in OpenSSH or PEM format.`,
  passphrase_needed: say`private_key_encrypted: This private key is encrypted: send its passphrase as \`passphrase\`.`,
  passphrase_wrong: say`private_key_passphrase_wrong: The passphrase is wrong for this private key: send the right one as \`passphrase\`.`,
  public_key: say`private_key_is_public: This is a public key: send the private key that belongs to it.`,
  key_weak: say`private_key_too_short: This RSA key is too short: it must have at least 3072 bits.`,
  type: say`private_key_type_unsupported: This type of private key is not supported: use rsa, ed25519 or ecdsa.`,
};

const unreadableKey = () => invalid(problems.unreadable);

const unreadablePublicKey = () =>
  invalid(
    say`public_key_unreadable: The public key can't be read: send the one that belongs to this private key, or none.`,
  );

export interface KeyTexts {
  privateKey: string;
  passphrase?: string | undefined;
  /** If given, it must belong to the private key. */
  publicKey?: string | null | undefined;
}

/** Reads a key pair. Throws AppError `invalid`. */
export function readPrivateKey(
  { keyTool }: SshNeeds,
  { privateKey, passphrase, publicKey }: KeyTexts,
): SshKeyPair {
  const pair = keyTool.read(privateKey, { passphrase, comment: keyComment });
  if ('problem' in pair) throw invalid(problems[pair.problem]);
  if (publicKey == null) return pair;
  const given = keyTool.readPublic(publicKey);
  if (!given) throw unreadablePublicKey();
  if (given.fingerprint !== pair.fingerprint) {
    throw invalid(
      say`public_key_of_other_key: The public key does not belong to this private key: send the right one, or none.`,
    );
  }
  return pair;
}
