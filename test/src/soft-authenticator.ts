import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** CBOR of what WebAuthn needs: numbers, bytes, texts and maps, all below 256. */
function cbor(value: unknown): Buffer {
  const head = (major: number, length: number) =>
    Buffer.from(length < 24 ? [(major << 5) | length] : [(major << 5) | 24, length]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...(value as Map<unknown, unknown>)].flatMap((entry) => entry.map(cbor));
  return Buffer.concat([head(5, entries.length / 2), ...entries]);
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

export interface Page {
  origin: string;
  host?: string;
  userVerified?: boolean;
}

/** An authenticator with one passkey, in software. */
export class SoftAuthenticator {
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  readonly id = randomBytes(16);
  counter = 0;

  constructor() {
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  create(options: { challenge: string }, page: Page) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const length = Buffer.from([0, this.id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, cbor(key)]);
    const authData = Buffer.concat([this.#data(page, 0x40), credential]);
    const attested = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.#answer({
      clientDataJSON: clientData('webauthn.create', options, page).toString('base64url'),
      attestationObject: cbor(attested).toString('base64url'),
      transports: ['internal'],
    });
  }

  get(options: { challenge: string }, page: Page) {
    const authenticatorData = this.#data(page, 0);
    const data = clientData('webauthn.get', options, page);
    const signed = Buffer.concat([authenticatorData, sha256(data)]);
    return this.#answer({
      clientDataJSON: data.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
    });
  }

  #answer(response: object) {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {}, response };
  }

  #data({ origin, host = new URL(origin).hostname, userVerified = true }: Page, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(host), Buffer.from([flags | 1 | (userVerified ? 4 : 0)]), counter]);
  }
}

const clientData = (type: string, { challenge }: { challenge: string }, { origin }: Page) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
