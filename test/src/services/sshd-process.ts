import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { descendantsOf, killAll } from '../processes.js';
import { waitFor } from '../wait-for.js';

/** One sshd that stays in the foreground, started and ended by its own pid. */
export class SshdProcess {
  #child: ChildProcess | undefined;
  #log = '';

  /** Everything that it wrote, over all its starts. */
  get log(): string {
    return this.#log;
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('this sshd does not run');
    return this.#child.pid;
  }

  /** Resolves to true when it listens, to false when it ended at once, as with a port that is taken. */
  async start(command: string[]): Promise<boolean> {
    // It ends with this process, even when that is killed.
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    const from = this.#log.length;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text;
    });
    const look = () => {
      if (child.exitCode !== null) return 'ended';
      return this.#log.slice(from).includes('Server listening on') && 'listens';
    };
    return (await waitFor(look, { what: 'sshd', timeoutMs: 60_000, intervalMs: 10 })) === 'listens';
  }

  /** Ends it with every session. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const sessions = descendantsOf(child.pid);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    killAll(sessions);
    await ended;
  }

  /** For the end of this process. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** `kill -9` of every session. Returns how many processes that were. */
  killSessions(): number {
    const sessions = descendantsOf(this.pid).filter(({ command }) => command.startsWith('sshd:'));
    killAll(sessions);
    return sessions.length;
  }
}
