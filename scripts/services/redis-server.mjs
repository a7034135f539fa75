import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A redis-server of our own: on a free port of 127.0.0.1 and a socket in its folder, without files that outlive it.
 * `tls` are files: the port then speaks TLS only.
 */
export class RedisServer {
  #child;
  #output = '';

  constructor(program, port, options) {
    this.program = program;
    this.port = port;
    this.options = options;
    this.folder = mkdtempSync(join(tmpdir(), 'holdfast-redis-'));
    process.on('exit', this.#leave);
  }

  /**
   * Resolves when it takes connections.
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

  get pid() {
    return this.#child?.pid;
  }

  /** Starts it, or starts it again on the same port: empty. */
  async launch() {
    const { password, tls, settings = [] } = this.options;
    const port = tls
      ? ['--port', '0', '--tls-port', `${this.port}`, '--tls-auth-clients', 'no']
      : ['--port', `${this.port}`];
    const files = tls
      ? ['--tls-key-file', tls.key, '--tls-cert-file', tls.cert, '--tls-ca-cert-file', tls.ca]
      : [];
    const plain = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', this.folder];
    const local = ['--unixsocket', this.socket];
    const child = spawn(this.program, ['-', ...port, ...files, ...plain, ...local, ...settings], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // Not as an argument: everybody on the machine may read those.
    child.stdin.end(password ? `requirepass "${password}"\n` : '');
    this.#child = child;
    const keep = (text) => {
      this.#output = (this.#output + text).slice(-4000);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', (error) => keep(error.message));
    await this.#untilReady(child);
  }

  signal(name) {
    this.#child?.kill(name);
  }

  /** Sends one command over the socket, as a program of its own would; resolves to the raw reply. */
  async command(...words) {
    const socket = connect(this.socket);
    const text = (line) => `$${Buffer.byteLength(line)}\r\n${line}\r\n`;
    const send = (line) => socket.write(`*${line.length}\r\n${line.map(text).join('')}`);
    try {
      if (this.options.password) {
        send(['AUTH', this.options.password]);
        await once(socket, 'data');
      }
      send(words);
      const [reply] = await once(socket, 'data');
      return reply.toString();
    } finally {
      socket.destroy();
    }
  }

  /** Ends it; what it held is gone. */
  async stop(signal = 'SIGTERM') {
    const child = this.#child;
    this.#child = undefined;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
  }

  async remove() {
    await this.stop('SIGKILL');
    this.#leave();
    process.off('exit', this.#leave);
  }

  #leave = () => {
    this.#child?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  };

  async #untilReady(child) {
    const deadline = Date.now() + 15_000;
    while (!this.#output.includes('Ready to accept connections')) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`redis-server ended at once:\n${this.#output}`);
      }
      if (Date.now() > deadline) throw new Error(`redis-server does not answer:\n${this.#output}`);
      await pause(20);
    }
    this.#output = '';
  }
}

/** Free a moment ago; Redis does not choose one itself. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
