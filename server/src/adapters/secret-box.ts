import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { AppError, type Message, type SecretBox, say } from '@holdfast/core/server';

const format = 'hf1';
const nonceLength = 12;
const tagLength = 16;

interface Key {
  /** Public id of the key, part of each envelope. */
  id: string;
  bytes: Buffer;
}

/**
 * Envelopes `hf1.<key id>.<base64url of nonce, ciphertext, tag>`: AES-256-GCM under a key derived by
 * HKDF-SHA256, with format, key id and purpose as additional data. Encrypts with `current`; also decrypts
 * with `former` keys, so that keys can be rotated.
 */
export function makeSecretBox({
  current,
  former = [],
}: {
  current: string;
  former?: readonly string[];
}): SecretBox {
  const sealing = deriveKey(current);
  const keys = new Map([...former.map(deriveKey), sealing].map((key) => [key.id, key]));
  return {
    seal: (purpose, plain) => seal(sealing, purpose, plain),
    open(purpose, envelope) {
      const [name, keyId = '', content = '', ...rest] = envelope.split('.');
      if (name !== format || rest.length > 0)
        throw unreadable(
          say`secret_malformed: A stored secret can't be decrypted: it was not encrypted by Holdfast.`,
        );
      const key = keys.get(keyId);
      if (!key)
        throw unreadable(
          say`secret_of_other_key: A stored secret can't be decrypted: it was encrypted with another SECRET_KEY; start Holdfast with that key.`,
        );
      return open(key, purpose, Buffer.from(content, 'base64url'));
    },
  };
}

/** Whether a text has the form of an envelope. */
export const isEnvelope = (text: string): boolean => /^hf1\.[0-9a-f]{12}\.[\w-]+$/.test(text);

const additionalData = (key: Key, purpose: string) => Buffer.from(`${format}.${key.id}.${purpose}`);

function deriveKey(secret: string): Key {
  const derive = (info: string, length: number) => Buffer.from(hkdfSync('sha256', secret, '', info, length));
  return { id: derive('holdfast key id', 6).toString('hex'), bytes: derive('holdfast secret box', 32) };
}

function seal(key: Key, purpose: string, plain: string): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(additionalData(key, purpose));
  const content = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${format}.${key.id}.${content.toString('base64url')}`;
}

function open(key: Key, purpose: string, content: Buffer): string {
  if (content.length < nonceLength + tagLength)
    throw unreadable(say`secret_too_short: A stored secret can't be decrypted: it is too short.`);
  const end = content.length - tagLength;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, content.subarray(0, nonceLength))
      .setAAD(additionalData(key, purpose))
      .setAuthTag(content.subarray(end));
    return Buffer.concat([decipher.update(content.subarray(nonceLength, end)), decipher.final()]).toString(
      'utf8',
    );
  } catch (cause) {
    throw unreadable(
      say`secret_modified: A stored secret can't be decrypted: it was modified or encrypted for another purpose.`,
      cause,
    );
  }
}

const unreadable = (message: Message, cause?: unknown) => new AppError('internal', message, { cause });
