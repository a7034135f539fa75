import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

export interface Received {
  from: string;
  to: string[];
  user: string;
  isEncrypted: boolean;
  mail: Email;
  source: string;
}

export type Taking = (received: Received, session: SMTPServerSession) => Promise<void>;

/** A refusal with a status, as mail servers write it. */
export const refusalOf = (responseCode: number, text: string) =>
  Object.assign(new Error(text), { responseCode });

const password = 'sesame-4711';

/**
 * A mail server on a free port of 127.0.0.1, with a certificate that nobody trusts. It knows one password, and wants a
 * login unless its options say otherwise.
 */
export class MailServer {
  readonly received: Received[] = [];
  /** What happens to a message. */
  take: Taking = async () => undefined;
  #server: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    this.#server = new SMTPServer({
      logger: false,
      closeTimeout: 100,
      onAuth: ({ username = '', password: given }, _, callback) =>
        given === password
          ? callback(null, { user: username })
          : callback(refusalOf(535, `5.7.8 Authentication failed for ${given}`)),
      onRcptTo: ({ address }, _, callback) =>
        address.startsWith('no')
          ? callback(refusalOf(550, `5.1.1 <${address}> is unknown here`))
          : callback(),
      onMailFrom: ({ address }, _, callback) =>
        address.startsWith('no')
          ? callback(refusalOf(553, '5.7.1 Sender not owned by the user'))
          : callback(),
      onData: (stream, session, callback) => {
        buffer(stream)
          .then(async (source) => this.take(await this.#keep(source, session), session))
          .then(() => callback(), callback);
      },
      ...options,
    });
    this.#server.on('error', () => undefined);
  }

  static async open(options: SMTPServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server.server, 'listening');
    return server;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /** Ends the connection of a session without an answer. */
  drop({ id }: SMTPServerSession): void {
    for (const connection of this.#server.connections as Set<{ id: string; _socket: Socket }>) {
      if (connection.id === id) connection._socket.destroy();
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #keep(source: Buffer, { envelope, user, secure }: SMTPServerSession): Promise<Received> {
    const received = {
      from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
      to: envelope.rcptTo.map(({ address }) => address),
      user: user || '',
      isEncrypted: secure,
      source: source.toString('latin1'),
      mail: await PostalMime.parse(source),
    };
    this.received.push(received);
    return received;
  }
}
