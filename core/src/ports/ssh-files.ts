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

/** What OpenSSH's own `ssh` reads from disk. Only files written by this service are ever changed or removed. */
export interface SshFiles {
  /**
   * Writes the pair as `holdfast_<type>` (600) and `.pub` (644) into the SSH folder (700). May be called again.
   * `keyFile`: where the private key stands now; `problem`: why it does not stand in the SSH folder, when
   * someone else's file is in the way there or it can't be written.
   */
  writeKeyPair(pair: KeyPairText): Promise<{ keyFile: string; problem: string | null }>;
  /** Removes every pair that this service wrote. Never rejects for files that are gone. */
  removeKeyPairs(): Promise<void>;
  /** Writes the known-hosts file of one connection, whole or not at all; returns its path. */
  writeHostKey(pin: HostKeyPin): Promise<string>;
  removeHostKey(connectionId: number): Promise<void>;
}

/** The name under which a known-hosts file holds the key of a connection: independent of host and port. */
export const hostKeyAlias = (connectionId: number) => `holdfast-${connectionId}`;
