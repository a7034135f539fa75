import { createCipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { inTurn } from '@holdfast/core/server';
import { Encrypter, type Recipient, Stanza } from 'age-encryption';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
/** Half a second and 134 MB for each guess and each encryption: half the cost of age itself. */
const logN = 17;

/** For the memory. */
const oneByOne = inTurn();

/** A file of age that its passphrase opens. */
export const sealed = (content: Uint8Array, passphrase: string): Promise<Uint8Array> =>
  oneByOne(() => seal(content, passphrase));

async function seal(content: Uint8Array, passphrase: string): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(passphraseRecipient(passphrase));
  return encrypter.encrypt(content);
}

/**
 * The `scrypt` recipient of age-encryption.org/v1. That of the library holds up all other work of the process for the
 * second that it takes.
 */
const passphraseRecipient = (passphrase: string): Recipient => ({
  async wrapFileKey(fileKey) {
    const salt = randomBytes(16);
    const N = 2 ** logN;
    const whole = Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt]);
    const key = await derive(passphrase, whole, 32, { N, r: 8, p: 1, maxmem: 130 * N * 8 });
    const cipher = createCipheriv('chacha20-poly1305', key, Buffer.alloc(12), { authTagLength: 16 });
    const wrapped = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
    return [new Stanza(['scrypt', salt.toString('base64').replace(/=+$/, ''), `${logN}`], wrapped)];
  },
});
