import { randomBytes } from 'node:crypto';

/** What a secret is: an exception is made for a kind, never for one text. */
export type SecretKind =
  | 'access_token'
  | 'ticket'
  | 'second_factor'
  | 'service_url'
  | 'repository_key'
  /** Of a repository. */
  | 'passphrase'
  | 'system_key'
  | 'secret_key'
  /** Given to the service by its environment. */
  | 'given'
  /** Handed to a script as a variable. */
  | 'parameter'
  /** Of a database that is dumped. */
  | 'source'
  | 'other';

export interface Secret {
  name: string;
  kind: SecretKind;
  /** Each is a leak by itself: the whole, and the lines of a key. */
  parts: string[];
}

const shortestLine = 16;
/** The first line of any key of Borg or OpenSSH: other tests have keys too. */
const ofEveryKey = /^(BORG_KEY |b3BlbnNzaC1rZXktdjEA)/;

/** The secrets that were planted, each one of a kind in the whole world. */
export class SecretBook {
  readonly #secrets = new Map<string, Secret>();

  get all(): Secret[] {
    return [...this.#secrets.values()];
  }

  named(name: string): Secret | undefined {
    return this.#secrets.get(name);
  }

  /** Makes a text up that stands nowhere else, of letters and digits. */
  plant(name: string, kind: SecretKind = 'other'): string {
    return this.keep(name, `Mk${randomBytes(12).toString('hex')}Z`, kind);
  }

  /** Takes a text that somebody else made. The lines of a key count singly. */
  keep(name: string, text: string, kind: SecretKind = 'other'): string {
    const lines = text.split(/\r?\n/).filter((line) => line.length >= shortestLine && !/^-----/.test(line));
    const own = lines.length > 1 ? lines.filter((line) => !ofEveryKey.test(line)) : [text];
    this.#secrets.set(name, { name, kind, parts: own });
    return text;
  }
}
