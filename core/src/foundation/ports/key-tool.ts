export const sshKeyTypes = ['rsa', 'ed25519', 'ecdsa'] as const;
export type SshKeyType = (typeof sshKeyTypes)[number];

export interface SshKeyPair {
  type: SshKeyType;
  /** OpenSSH format, without passphrase. A secret. */
  privateKey: string;
  /** One line: `type base64 comment`; the comment is optional. */
  publicKey: string;
  /** `SHA256:…` as `ssh-keygen -lf` prints it. */
  fingerprint: string;
}

/**
 * Why a text is not a usable private key. `key_weak`: RSA below 3072 bits; `type`: neither rsa, ed25519 nor
 * ecdsa.
 */
export type KeyProblem =
  | 'unreadable'
  | 'passphrase_needed'
  | 'passphrase_wrong'
  | 'public_key'
  | 'key_weak'
  | 'type';

/** Generates and reads SSH keys. */
export interface KeyTool {
  generate(type: SshKeyType, comment: string): Promise<SshKeyPair>;
  /** Reads OpenSSH and PEM (PKCS#1, PKCS#8, SEC1), encrypted or not. Never throws. */
  read(
    text: string,
    options: { passphrase?: string | undefined; comment: string },
  ): SshKeyPair | { problem: KeyProblem };
  /** The `type base64` part of a public key line, and its type; null when the text is not a public key. */
  readPublic(text: string): { line: string; type: SshKeyType; fingerprint: string } | null;
  /** The text of a file of at most 64 KB; null when it can't be read for any reason. */
  readKeyFile(path: string): Promise<string | null>;
}
