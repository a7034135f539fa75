import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, OwnServer } from './own-server.mjs';

/**
 * A separate redis-server: on a free port of 127.0.0.1 and a socket in its folder, without files that outlive it.
 * `tls` contains file names; the port then accepts only TLS.
 */
export class RedisServer extends OwnServer {
  constructor(program, port, options) {
    super(program, 'holdfast-redis-');
    this.port = port;
    this.options = options;
  }

  /**
   * Resolves when it accepts connections.
   * @param {{ password?: string, tls?: { key: string, cert: string, ca: string }, settings?: string[] }} options
   */
  static async start(program, options = {}) {
    const server = new RedisServer(program || 'redis-server', await freePort(), options);
    try {
      await server.launch();
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  get url() {
    return `redis://127.0.0.1:${this.port}/0`;
  }

  get socket() {
    return join(this.folder, 'redis.sock');
  }

  /** Starts it, or restarts it on the same port, without data. */
  async launch() {
    const { password, tls, settings = [] } = this.options;
    const port = tls
      ? ['--port', '0', '--tls-port', `${this.port}`, '--tls-auth-clients', 'no']
      : ['--port', `${this.port}`];
    const files = tls
      ? ['--tls-key-file', tls.key, '--tls-cert-file', tls.cert, '--tls-ca-cert-file', tls.ca]
      : [];
    const plain = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', this.folder];
    await this.run(['-', ...port, ...files, ...plain, '--unixsocket', this.socket, ...settings], {
      input: password ? `requirepass "${password}"\n` : '',
      isReady: () => this.output.includes('Ready to accept connections'),
      withinMs: 15_000,
    });
  }

  /** Sends one command over the socket, as a separate program would; resolves to the raw reply. */
  async command(...args) {
    const socket = connect(this.socket);
    const text = (line) => `$${Buffer.byteLength(line)}\r\n${line}\r\n`;
    const send = (line) => socket.write(`*${line.length}\r\n${line.map(text).join('')}`);
    try {
      if (this.options.password) {
        send(['AUTH', this.options.password]);
        await once(socket, 'data');
      }
      send(args);
      const [reply] = await once(socket, 'data');
      return reply.toString();
    } finally {
      socket.destroy();
    }
  }
}
