import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, OwnServer } from './own-server.mjs';

/** A separate broker on a free port of 127.0.0.1, which forgets everything when it ends. */
export class MosquittoServer extends OwnServer {
  constructor(port, options) {
    super('mosquitto', 'holdfast-mosquitto-');
    this.port = port;
    this.options = options;
  }

  /**
   * Resolves when it accepts connections. `tls` contains file names; the port then accepts only TLS.
   * @param {{ password?: string, tls?: { key: string, cert: string } }} options with a password: of the user holdfast
   */
  static async start(options = {}) {
    const server = new MosquittoServer(await freePort(), options);
    try {
      await server.launch();
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  /** Starts it, or restarts it on the same port. */
  async launch() {
    const { password, tls } = this.options;
    const file = (name) => join(this.folder, name);
    const user = process.getuid?.() === 0 ? ['user root'] : [];
    const lines = [...user, `listener ${this.port} 127.0.0.1`, 'persistence false'];
    if (tls) lines.push(`keyfile ${tls.key}`, `certfile ${tls.cert}`);
    if (password) {
      execFileSync('mosquitto_passwd', ['-b', '-c', file('users'), 'holdfast', password], {
        stdio: 'ignore',
      });
      lines.push('allow_anonymous false', `password_file ${file('users')}`);
    } else {
      lines.push('allow_anonymous true');
    }
    writeFileSync(file('mosquitto.conf'), `${lines.join('\n')}\n`);
    await this.run(['-c', file('mosquitto.conf')], {
      isReady: () => accepts(this.port),
      withinMs: 15_000,
    });
  }
}

const accepts = (port) =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
