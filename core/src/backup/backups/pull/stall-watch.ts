import { PassThrough, pipeline, type Readable } from 'node:stream';
import { DriverError, type HostProcess, type SourceHost } from '@holdfast/plugin-api/driver';

const ticks = 20;

/**
 * Wraps a host so that a command ends when the host sends nothing for `seconds`. Data that waits to be read
 * here counts as activity: only the host's own silence counts.
 */
export const watchedHost = (host: SourceHost, seconds: number): SourceHost => ({
  ...host,
  async run(command, { signal }) {
    const watch = new StallWatch(host.name, seconds);
    const either = signal ? AbortSignal.any([signal, watch.signal]) : watch.signal;
    try {
      return watch.over(await host.run(command, { signal: either }));
    } catch (error) {
      watch.end();
      throw watch.reason(error);
    }
  },
});

class StallWatch {
  readonly #stall = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #outputs: PassThrough[] = [];
  #silentTicks = 0;

  constructor(
    private readonly name: string,
    private readonly seconds: number,
  ) {
    // Counts ticks instead of reading a clock, so that time in which this process was suspended does not count.
    this.#timer = setInterval(() => this.#tick(), (seconds * 1000) / ticks);
  }

  get signal(): AbortSignal {
    return this.#stall.signal;
  }

  over({ stdin, stdout, stderr, exit }: HostProcess): HostProcess {
    const ended = exit
      .catch((error: unknown) => Promise.reject(this.reason(error)))
      .finally(() => this.end());
    ended.catch(() => undefined);
    return { stdin, stdout: this.#watched(stdout), stderr: this.#watched(stderr), exit: ended };
  }

  end(): void {
    clearInterval(this.#timer);
  }

  reason(error: unknown): unknown {
    return this.signal.aborted ? this.signal.reason : error;
  }

  #watched(stream: Readable): PassThrough {
    const output = new PassThrough();
    this.#outputs.push(output);
    stream.on('data', () => {
      this.#silentTicks = 0;
    });
    // A reader that is done destroys its end. A closed connection ends the output the way a command does.
    pipeline(stream, output, () => undefined);
    return output;
  }

  #tick(): void {
    const isRead = this.#outputs.every((output) => output.destroyed || output.readableLength === 0);
    this.#silentTicks = isRead ? this.#silentTicks + 1 : 0;
    if (this.#silentTicks < ticks) return;
    this.end();
    this.#stall.abort(new DriverError('connection', this.#message()));
  }

  #message(): string {
    return (
      `${this.name} sent nothing for ${this.seconds} s (STALLED_PULL_SECONDS), so the backup was stopped. Check the ` +
      'host for a suspended process, an unresponsive file system, or a broken connection.'
    );
  }
}
