import { invalid } from '../kernel/errors.js';
import type { KeyProblem, SshKeyPair } from '../ports/key-tool.js';
import type { Dependencies } from '../dependencies.js';
import { keyComment } from './generate-key.js';

const problems: Record<KeyProblem, string> = {
  unreadable: 'This is not a readable private key: name one in OpenSSH or PEM format.',
  passphrase_needed: 'This private key is encrypted: send its passphrase as `passphrase`.',
  passphrase_wrong: 'The passphrase does not open this private key: send the right one as `passphrase`.',
  public_key: 'This is a public key: name the private one that belongs to it.',
  key_weak: 'This RSA key is too short: it must have at least 3072 bits.',
  type: 'This private key is of another type: use rsa, ed25519 or ecdsa.',
};

export const unreadableKey = () => invalid(problems.unreadable);

export interface KeyTexts {
  privateKey: string;
  passphrase?: string | undefined;
  /** Must belong to the private key when given. */
  publicKey?: string | null | undefined;
}

/** The pair in a text. AppError `invalid`. */
export function readPrivateKey(
  { keyTool }: Pick<Dependencies, 'keyTool'>,
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
