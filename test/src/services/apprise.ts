import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('apprise-server.py', import.meta.url));

/** The notification library behind its server's stateless call, as a process of its own. */
export class AppriseServer {
  private constructor(
    readonly url: string,
    readonly child: ChildProcess,
  ) {}

  static async start(): Promise<AppriseServer> {
    const folder = process.env.TEST_APPRISE;
    if (!folder) throw new Error('TEST_APPRISE is not set: run the tests with `npm test`');
    const child = spawn('python3', [program], {
      env: { PATH: process.env.PATH, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const port = once(child.stdout.setEncoding('utf8'), 'data');
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the Apprise server ended at once with ${code}:\n${errors}`);
    });
    const [text] = (await Promise.race([port, ended])) as [string];
    ended.catch(() => undefined);
    return new AppriseServer(`http://127.0.0.1:${text.trim()}`, child);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}
