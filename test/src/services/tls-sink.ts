import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Which certificate a TLS sink shows. */
export type Certificate = 'good' | 'expired' | 'other-host';

const names: Record<Certificate, string> = {
  good: 'IP:127.0.0.1,DNS:localhost',
  expired: 'IP:127.0.0.1,DNS:localhost',
  'other-host': 'DNS:elsewhere.test',
};

/** An authority of its own for the certificates of test servers; nobody trusts it who is not given its file. */
export class Authority {
  readonly #folder = mkdtempSync(join(tmpdir(), 'holdfast-authority-'));

  constructor() {
    const subject = ['-subj', '/CN=Holdfast tests'];
    this.#openssl(['req', '-x509', ...newKey('ca'), '-out', 'ca.pem', '-days', '2', ...subject]);
  }

  /** For `NODE_EXTRA_CA_CERTS`. */
  get file(): string {
    return join(this.#folder, 'ca.pem');
  }

  issue(kind: Certificate): { key: string; cert: string } {
    writeFileSync(join(this.#folder, `${kind}.ext`), `subjectAltName=${names[kind]}\n`);
    this.#openssl(['req', ...newKey(kind), '-out', `${kind}.csr`, '-subj', `/CN=${kind}`]);
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${kind}.ext`];
    const days = kind === 'expired' ? '-1' : '2';
    this.#openssl([
      ...['x509', '-req', '-in', `${kind}.csr`, '-out', `${kind}.pem`],
      ...signing,
      ...['-days', days],
    ]);
    return { key: this.#read(`${kind}.key`), cert: this.#read(`${kind}.pem`) };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #read(name: string): string {
    return readFileSync(join(this.#folder, name), 'utf8');
  }

  #openssl(parameters: string[]): void {
    execFileSync('openssl', parameters, { cwd: this.#folder, stdio: ['ignore', 'pipe', 'pipe'] });
  }
}

const newKey = (name: string) => [
  ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
  ...['-nodes', '-keyout', `${name}.key`],
];

/** An HTTPS server on a free port of 127.0.0.1 that keeps the bodies that it is sent. */
export class TlsSink {
  readonly bodies: string[] = [];
  readonly #server: Server;

  private constructor(identity: { key: string; cert: string }) {
    this.#server = createServer(identity, async (request, response) => {
      this.bodies.push(await text(request));
      response.end();
    });
  }

  static async open(identity: { key: string; cert: string }): Promise<TlsSink> {
    const sink = new TlsSink(identity);
    sink.#server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
    await once(sink.#server, 'listening');
    return sink;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
