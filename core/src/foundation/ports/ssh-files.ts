import type { SshKeyType } from './key-tool.js';

export interface KeyPairText {
  type: SshKeyType;
  /** OpenSSH format, without passphrase. */
  privateKey: string;
  /** One line: `type base64 comment`. */
  publicKey: string;
}

export interface HostKeyPin {
  connectionId: number;
  /** `type base64`. */
  hostKey: string;
}

/** The files that OpenSSH's `ssh` reads. Only files written by this service are changed or removed. */
export interface SshFiles {
  /**
   * Writes the pair as `holdfast_<type>` (600) and `.pub` (644) into the SSH folder (700). Safe to repeat.
   * `keyFile`: path of the private key. `problem`: why it could not be written to the SSH folder, such as a
   * foreign file with that name.
   */
  writeKeyPair(pair: KeyPairText): Promise<{ keyFile: string; problem: string | null }>;
  /** Removes every pair that this service wrote. Missing files are ignored. */
  removeKeyPairs(): Promise<void>;
  /** Writes the known-hosts file of one connection atomically; returns its path. */
  writeHostKey(pin: HostKeyPin): Promise<string>;
  removeHostKey(connectionId: number): Promise<void>;
}

/** The host key alias of a connection in its known-hosts file, independent of host and port. */
export const hostKeyAlias = (connectionId: number) => `holdfast-${connectionId}`;
