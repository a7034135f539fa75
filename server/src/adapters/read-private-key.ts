import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { KeyProblem } from '@holdfast/core/server';
import { ssh2 } from './ssh2.js';

const openSshHeader = '-----BEGIN OPENSSH PRIVATE KEY-----';
const encryptedPem = /^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;
const publicKey = /^-----BEGIN (?:\w+ )?PUBLIC KEY-----|^---- BEGIN SSH2 PUBLIC KEY ----/m;

type Read = { key: KeyObject } | { problem: KeyProblem };

/** Parses a private key in OpenSSH or PEM format. Never throws. */
export function readPrivateKey(text: string, passphrase: string | undefined): Read {
  const clean = `${text.replace(/\r\n?/g, '\n').trim()}\n`;
  if (isPublic(clean)) return { problem: 'public_key' };
  const read = clean.startsWith(openSshHeader) ? readOpenSsh : readPem;
  const found = read(clean, passphrase || undefined);
  return 'key' in found && !isWhole(found.key) ? { problem: 'unreadable' } : found;
}

function isPublic(text: string): boolean {
  if (publicKey.test(text)) return true;
  const parsed = ssh2().utils.parseKey(text);
  return !(parsed instanceof Error) && !text.startsWith('-----') && !parsed.isPrivateKey();
}

function readOpenSsh(text: string, passphrase: string | undefined): Read {
  const encrypted = isEncryptedOpenSsh(text);
  if (encrypted && passphrase === undefined) return { problem: 'passphrase_needed' };
  const parsed = ssh2().utils.parseKey(text, passphrase);
  if (parsed instanceof Error) return { problem: encrypted ? 'passphrase_wrong' : 'unreadable' };
  // ssh2 returns a list for a file with several keys.
  const [first] = Array.isArray(parsed) ? parsed : [parsed];
  try {
    return { key: createPrivateKey(first.getPrivatePEM()) };
  } catch {
    return { problem: first?.type === 'ssh-dss' ? 'type' : 'unreadable' };
  }
}

/** The cipher name follows the magic string; unencrypted keys have `none`. */
function isEncryptedOpenSsh(text: string): boolean {
  const body = text.split('\n').filter((line) => !line.startsWith('-----'));
  const content = Buffer.from(body.join(''), 'base64');
  if (!content.toString('latin1').startsWith('openssh-key-v1\0') || content.length < 23) return false;
  const length = content.readUInt32BE(15);
  return content.subarray(19, 19 + length).toString('latin1') !== 'none';
}

function readPem(text: string, passphrase: string | undefined): Read {
  const encrypted = encryptedPem.test(text);
  if (encrypted && passphrase === undefined) return { problem: 'passphrase_needed' };
  try {
    return { key: createPrivateKey({ key: text, format: 'pem', ...(passphrase ? { passphrase } : {}) }) };
  } catch {
    return { problem: encrypted ? 'passphrase_wrong' : 'unreadable' };
  }
}

/** Parsing does not validate the key's numbers, so this signs and verifies a sample. */
function isWhole(key: KeyObject): boolean {
  if (!['rsa', 'ec', 'ed25519'].includes(key.asymmetricKeyType ?? '')) return true;
  try {
    const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
    const sample = Buffer.from('sample');
    return verify(digest, sample, createPublicKey(key), sign(digest, sample, key));
  } catch {
    return false;
  }
}
