import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';

/**
 * The parts of a key in OpenSSH format. `blob` is the public key, which a public key line contains as base64.
 */
export interface OpenSshKey {
  algorithm: string;
  blob: Buffer;
  /** Content of a private key file without a passphrase. */
  privateKey: string;
}

const curves: Record<string, string> = { 'P-256': 'nistp256', 'P-384': 'nistp384', 'P-521': 'nistp521' };
const magic = Buffer.from('openssh-key-v1\0');
const blockSize = 8;

/** Converts an rsa, ed25519 or ecdsa private key to OpenSSH's own format; null for other types. */
export function toOpenSsh(key: KeyObject, comment: string): OpenSshKey | null {
  const parts = partsOf(key);
  if (!parts) return null;
  const { algorithm, publicParts, privateParts } = parts;
  const blob = join([text(algorithm), ...publicParts]);
  const check = randomBytes(4);
  const secret = join([check, check, text(algorithm), ...privateParts, text(comment)]);
  const padding = Buffer.from(
    Array.from({ length: (blockSize - (secret.length % blockSize)) % blockSize }, (_, n) => n + 1),
  );
  const one = Buffer.from([0, 0, 0, 1]);
  const content = join([
    ...[magic, text('none'), text('none'), text(''), one],
    ...[string(blob), string(join([secret, padding]))],
  ]);
  return { algorithm, blob, privateKey: armoured(content) };
}

interface Parts {
  algorithm: string;
  publicParts: Buffer[];
  privateParts: Buffer[];
}

function partsOf(key: KeyObject): Parts | null {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return rsaParts(key);
    case 'ec':
      return ecdsaParts(key);
    case 'ed25519':
      return ed25519Parts(key);
    default:
      return null;
  }
}

function rsaParts(key: KeyObject): Parts {
  const { n, e, d, qi, p, q } = key.export({ format: 'jwk' });
  return {
    algorithm: 'ssh-rsa',
    publicParts: [number(e), number(n)],
    privateParts: [n, e, d, qi, p, q].map(number),
  };
}

function ecdsaParts(key: KeyObject): Parts | null {
  const { crv = '', x = '', y = '', d } = key.export({ format: 'jwk' });
  const curve = curves[crv];
  if (!curve) return null;
  const point = join([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const publicParts = [text(curve), string(point)];
  return {
    algorithm: `ecdsa-sha2-${curve}`,
    publicParts,
    privateParts: [...publicParts, number(d)],
  };
}

function ed25519Parts(key: KeyObject): Parts {
  const { d = '' } = key.export({ format: 'jwk' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const point = Buffer.from(x, 'base64url');
  return {
    algorithm: 'ssh-ed25519',
    publicParts: [string(point)],
    privateParts: [string(point), string(join([Buffer.from(d, 'base64url'), point]))],
  };
}

const join = (parts: readonly Buffer[]) => Buffer.concat(parts);
const text = (value: string) => string(Buffer.from(value));

function string(value: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(value.length);
  return join([length, value]);
}

/** An unsigned number: no leading zeros, except one if the first bit is set. */
function number(base64url = ''): Buffer {
  const bytes = Buffer.from(base64url, 'base64url');
  const start = bytes.findIndex((byte) => byte !== 0);
  const short = start < 0 ? Buffer.alloc(0) : bytes.subarray(start);
  return string((short[0] ?? 0) & 0x80 ? join([Buffer.alloc(1), short]) : short);
}

function armoured(content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,70}/g) ?? [];
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}
