import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { invalid, say } from '../../../foundation/kernel/index.js';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
const bytes = { key: 32, salt: 16, nonce: 12, tag: 16 };
/** 128 MiB and about half a second for each guess. */
const cost = { n: 131_072, r: 8, p: 1 };
const base64 = z
  .string()
  .max(4 * 1024 * 1024)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/);

/** Secrets of the document, sealed by a passphrase: scrypt, then AES-256-GCM over UTF-8 JSON. */
export const sealedShape = z
  .object({
    kdf: z.literal('scrypt'),
    // Fixed: a document must not make the service spend more.
    n: z.literal(cost.n),
    r: z.literal(cost.r),
    p: z.literal(cost.p),
    salt: base64,
    cipher: z.literal('aes-256-gcm'),
    nonce: base64,
    tag: base64,
    text: base64,
  })
  .strict();
export type Sealed = z.infer<typeof sealedShape>;

const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  derive(passphrase.normalize('NFC'), salt, bytes.key, { ...cost, N: cost.n, maxmem: 256 * 1024 * 1024 });

/** The header is authenticated with the secrets. */
const headerOf = (salt: string) => Buffer.from(`holdfast-settings:1:${JSON.stringify(cost)}:${salt}`);

export async function sealJson(passphrase: string, value: unknown): Promise<Sealed> {
  const salt = randomBytes(bytes.salt);
  const nonce = randomBytes(bytes.nonce);
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce);
  cipher.setAAD(headerOf(salt.toString('base64')));
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  const parts = { salt, nonce, tag: cipher.getAuthTag(), text };
  const encoded = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, part.toString('base64')]),
  ) as Record<keyof typeof parts, string>;
  return { kdf: 'scrypt', ...cost, cipher: 'aes-256-gcm', ...encoded };
}

/** Throws AppError `invalid` for a wrong passphrase or a changed document. */
export async function openJson(passphrase: string, sealed: Sealed): Promise<unknown> {
  const part = (name: 'salt' | 'nonce' | 'tag' | 'text') => Buffer.from(sealed[name], 'base64');
  try {
    const key = await keyOf(passphrase, part('salt'));
    const decipher = createDecipheriv('aes-256-gcm', key, part('nonce'), { authTagLength: bytes.tag });
    decipher.setAAD(headerOf(sealed.salt));
    decipher.setAuthTag(part('tag'));
    const text = Buffer.concat([decipher.update(part('text')), decipher.final()]);
    return JSON.parse(text.toString('utf8')) as unknown;
  } catch (cause) {
    throw invalid(
      say`settings_seal_wrong: The passphrase does not decrypt the secrets in this file, or they were changed.`,
      { cause },
    );
  }
}
