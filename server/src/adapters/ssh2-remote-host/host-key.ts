import { hostKeyFingerprint, type RemoteAccount, RemoteHostError } from '@holdfast/core/server';
import type { ServerHostKeyAlgorithm } from 'ssh2';

/** Signature algorithms by host key type, best type first. Not `ssh-rsa` (SHA-1), which OpenSSH refuses. */
const algorithmsOf: Record<string, ServerHostKeyAlgorithm[]> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
};
const all = Object.values(algorithmsOf).flat();

/**
 * The algorithms to offer, one list per connection attempt. A pinned type comes first, so that a host with
 * several keys presents the pinned one. An expected fingerprint may belong to any of the host's keys.
 */
export function hostKeyAlgorithms({
  hostKey,
  expectedFingerprint,
}: RemoteAccount): ServerHostKeyAlgorithm[][] {
  if (hostKey !== null) {
    const [type = ''] = hostKey.split(' ');
    return [[...new Set([...(algorithmsOf[type] ?? []), ...all])]];
  }
  return expectedFingerprint === undefined ? [all] : [all, ...Object.values(algorithmsOf).slice(1)];
}

/** A key in wire format as `type base64`. */
export function hostKeyText(blob: Buffer): string {
  const length = blob.length > 4 ? blob.readUInt32BE(0) : 0;
  return `${blob.subarray(4, 4 + length).toString('latin1')} ${blob.toString('base64')}`;
}

/** Why this host key is rejected, or null. */
export function hostKeyProblem(account: RemoteAccount, offered: string): RemoteHostError | null {
  const { host, port, hostKey, expectedFingerprint } = account;
  const shown = hostKeyFingerprint(offered);
  const step = 'check the host key';
  if (hostKey !== null && hostKey !== offered) {
    const pinned = hostKeyFingerprint(hostKey);
    const message =
      `The host key of ${host} port ${port} changed: it is ${shown}, the pinned one is ${pinned}. If the host ` +
      'was reinstalled, an administrator must accept the new key. Otherwise, the connection may be intercepted.';
    const hostKeys = { offered, offeredFingerprint: shown, pinnedFingerprint: pinned };
    return new RemoteHostError('host_key_changed', message, { step, hostKeys });
  }
  if (expectedFingerprint === undefined || expectedFingerprint === shown) return null;
  const message = `${host} port ${port} presented the host key ${shown}, not the expected ${expectedFingerprint}.`;
  if (hostKey !== null) return new RemoteHostError('refused', message, { step });
  const hostKeys = { offered, offeredFingerprint: shown, pinnedFingerprint: expectedFingerprint };
  return new RemoteHostError('host_key_changed', message, { step, hostKeys });
}
