import { createHash } from 'node:crypto';

/** `SHA256:…` of a public or host key `type base64 …`, as `ssh-keygen -lf` prints it. */
export function hostKeyFingerprint(key: string): string {
  const [, blob = ''] = key.split(' ');
  const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}
