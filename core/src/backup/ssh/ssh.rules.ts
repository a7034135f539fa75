import { createHash } from 'node:crypto';

/**
 * `host_key_changed`: the host showed another key than the pinned one; every use is rejected until it is
 * accepted.
 */
export type ConnectionStatus = 'unknown' | 'testing' | 'connected' | 'failed' | 'host_key_changed';

/** Usage of the remote file system at `checkedAt`, in bytes. */
export interface StoredUsage {
  total: number;
  used: number;
  available: number;
  percentUsed: number;
  checkedAt: number;
}

/** `SHA256:…` of a public or host key `type base64 …`, as `ssh-keygen -lf` prints it. */
export function hostKeyFingerprint(key: string): string {
  const [, blob = ''] = key.split(' ');
  const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}
