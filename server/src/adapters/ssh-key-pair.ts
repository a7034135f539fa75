import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { hostKeyFingerprint, type KeyTool, type SshKeyPair, type SshKeyType } from '@holdfast/core/server';
import { readStart } from '@holdfast/plugin-api/files';
import { toOpenSsh } from './openssh-format.js';
import { readPrivateKey } from './read-private-key.js';
import { ssh2 } from './ssh2.js';

const rsaBits = 3072;
const largestFile = 64 * 1024;
const make = promisify(generateKeyPair);

/** Node generates and parses keys; ssh2 parses OpenSSH's own format. */
export const keyTool: KeyTool = {
  async generate(type, comment) {
    const pair = pairOf(await generate(type), comment);
    if (!pair) throw new Error(`the new ${type} key can't be converted to OpenSSH format`);
    return pair;
  },
  read(text, { passphrase, comment }) {
    const read = readPrivateKey(text, passphrase);
    if ('problem' in read) return read;
    const { key } = read;
    if (key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < rsaBits) {
      return { problem: 'key_weak' };
    }
    return pairOf(key, comment) ?? { problem: 'type' };
  },
  readPublic(text) {
    const [algorithm = '', blob = ''] = text.trim().split(/\s+/);
    const type = typeOf(algorithm);
    const line = `${algorithm} ${blob}`;
    if (!type || ssh2().utils.parseKey(line) instanceof Error) return null;
    return { line, type, fingerprint: hostKeyFingerprint(line) };
  },
  readKeyFile,
};

async function generate(type: SshKeyType): Promise<KeyObject> {
  if (type === 'rsa') return readAgain(await make('rsa', { modulusLength: rsaBits }));
  if (type === 'ecdsa') return readAgain(await make('ec', { namedCurve: 'P-256' }));
  return readAgain(await make('ed25519'));
}

/**
 * Works around a deadlock in Node 20: the JWK export of a generated key holds its lock while the garbage
 * collector removes the generator, which takes the same lock. A key that was read has a separate lock.
 */
const readAgain = ({ privateKey }: { privateKey: KeyObject }): KeyObject =>
  createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }));

function pairOf(key: KeyObject, comment: string): SshKeyPair | null {
  const written = toOpenSsh(key, comment);
  const type = typeOf(written?.algorithm ?? '');
  if (!written || !type) return null;
  const line = `${written.algorithm} ${written.blob.toString('base64')}`;
  return {
    type,
    privateKey: written.privateKey,
    publicKey: comment ? `${line} ${comment}` : line,
    fingerprint: hostKeyFingerprint(line),
  };
}

function typeOf(algorithm: string): SshKeyType | null {
  if (algorithm === 'ssh-rsa') return 'rsa';
  if (algorithm === 'ssh-ed25519') return 'ed25519';
  return algorithm.startsWith('ecdsa-sha2-') ? 'ecdsa' : null;
}

function readKeyFile(path: string): Promise<string | null> {
  return readStart(path, largestFile, { links: true, rejectLonger: true }).then(String, () => null);
}
