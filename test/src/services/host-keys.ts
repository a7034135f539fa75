import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const call = promisify(execFile);

export type HostKeyType = 'ed25519' | 'ecdsa' | 'rsa';

/** Several, as hosts have. */
export const usualHostKeyTypes: HostKeyType[] = ['ed25519', 'ecdsa'];

export const hostKeyFile = (folder: string, type: HostKeyType): string => join(folder, `host_${type}`);

/** Writes new host keys over those that are there. */
export async function makeHostKeys(folder: string, types = usualHostKeyTypes): Promise<void> {
  for (const type of types) {
    const file = hostKeyFile(folder, type);
    rmSync(file, { force: true });
    rmSync(`${file}.pub`, { force: true });
    // An RSA key of the usual size takes seconds to make.
    const size = type === 'rsa' ? ['-b', '2048'] : [];
    await call('ssh-keygen', ['-q', '-t', type, ...size, '-N', '', '-C', '', '-f', file]);
  }
}

/** `type base64`, as the host shows it. */
export function hostKeyOf(folder: string, type: HostKeyType): string {
  return readFileSync(`${hostKeyFile(folder, type)}.pub`, 'utf8')
    .trim()
    .split(' ')
    .slice(0, 2)
    .join(' ');
}

/** `SHA256:…` in the words of ssh-keygen; takes files with private and with public keys. */
export async function fingerprintOf(file: string): Promise<string> {
  const { stdout } = await call('ssh-keygen', ['-l', '-E', 'sha256', '-f', file]);
  return stdout.split(' ')[1] ?? '';
}
