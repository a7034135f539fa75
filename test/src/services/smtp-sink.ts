import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface Mail {
  from: string;
  to: string[];
  subject: string;
  /** Everything below the headers, all parts in one, decoded. */
  text: string;
}

/** A mail server on a free port of 127.0.0.1 that keeps what it is given, and passes nothing on. */
export class SmtpSink {
  readonly mails: Mail[] = [];
  readonly #waiting = new Set<() => void>();
  #server: SMTPServer | null = null;
  #port = 0;

  static async open(): Promise<SmtpSink> {
    const sink = new SmtpSink();
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onAuth: (_auth, _session, callback) => callback(null, { user: 'anyone' }),
      onData: (stream, { envelope }, callback) => {
        text(stream).then((source) => {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          const to = envelope.rcptTo.map(({ address }) => address);
          sink.mails.push({ from, to, ...read(source) });
          for (const look of [...sink.#waiting]) look();
          callback();
        }, callback);
      },
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    sink.#server = server;
    sink.#port = (server.server.address() as AddressInfo).port;
    return sink;
  }

  get port(): number {
    return this.#port;
  }

  /** Resolves when so many mails came; rejects after `timeoutMs`. */
  taken(count: number, timeoutMs = 20_000): Promise<Mail[]> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.mails.length < count) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(this.mails);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(`${this.mails.length} of ${count} mails came within ${timeoutMs} ms`));
      }, timeoutMs);
      this.#waiting.add(look);
      look();
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#server) this.#server.close(() => resolve());
      else resolve();
    });
  }
}

/** Of a message whose parts are quoted-printable, as the notification library makes them. */
function read(source: string): Pick<Mail, 'subject' | 'text'> {
  const [headers = '', ...parts] = source.replaceAll('\r\n', '\n').split('\n\n');
  const subject = /^Subject: (.*(?:\n[ \t].*)*)/m.exec(headers)?.[1] ?? '';
  const words = subject
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?q\?(.*?)\?=/gi, (_, word: string) => {
      return unquoted(word.replaceAll('_', ' '));
    });
  return { subject: words, text: unquoted(parts.join('\n\n').replace(/=\n/g, '')) };
}

const unquoted = (text: string) =>
  text.replace(/(?:=[0-9A-F]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'),
  );
