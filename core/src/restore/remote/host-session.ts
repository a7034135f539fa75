import { bytesOfName } from '../../archives/lossless-bytes.rules.js';
import { DriverError } from '../../kernel/errors.js';
import type { HostProcess, SourceHost } from '../../ports/backup-driver.js';
import { hostProgram, hostWord } from './host-program.js';

/** `d`: a directory and what is in it; `p`: one place; `w`: may it be written to; `f`: free blocks; `i`: the host. */
export type Question = 'd' | 'p' | 'w' | 'f' | 'i';

export interface HostAnswer {
  code: number;
  text: string;
  /** One for each place that was found. */
  records: Buffer[];
}

/** The words that run the program of restores. */
export const hostCommand = (verb: string, path?: string): string[] => [
  ...['sh', '-c', hostProgram, 'holdfast-restore', verb],
  ...(path === undefined ? [] : [hostWord(bytesOfName(path))]),
];

/** The program as one that answers questions, one after the other. */
export class HostSession {
  readonly #answers: AsyncGenerator<HostAnswer, void>;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly process: HostProcess,
    private readonly name: string,
  ) {
    this.#answers = answersOf(process.stdout);
    process.stderr.resume();
    process.exit.catch(() => undefined); // Told to whoever asks next.
    process.stdin.on('error', () => undefined);
  }

  /** Rejects with DriverError. */
  static async open(host: SourceHost): Promise<HostSession> {
    return new HostSession(await host.run(hostCommand('look'), {}), host.name);
  }

  ask(question: Question, path = '/'): Promise<HostAnswer> {
    const answer = this.#last.then(() => this.#ask(`${question} ${hostWord(bytesOfName(path))}\n`));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    this.process.stdin.end();
    this.process.stdout.resume();
    await this.process.exit.catch(() => undefined);
  }

  async #ask(line: string): Promise<HostAnswer> {
    this.process.stdin.write(line);
    const { value } = await this.#answers.next();
    if (value) return value;
    await this.process.exit;
    throw new DriverError('connection', `The shell of ${this.name} ended too early: see whether it has sh.`);
  }
}

async function* answersOf(output: AsyncIterable<Buffer>): AsyncGenerator<HostAnswer, void> {
  let records: Buffer[] = [];
  for await (const piece of piecesOf(output)) {
    if (piece[0] !== 0x45) records.push(piece);
    else {
      const [, code = '', text = ''] = /^E(\d+) (.*)$/s.exec(piece.toString('utf8')) ?? [];
      yield { code: Number(code), text, records };
      records = [];
    }
  }
}

/** What stands between the NUL bytes of a stream. */
export async function* piecesOf(output: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let rest: Buffer[] = [];
  for await (const chunk of output) {
    let from = 0;
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at)]);
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
}
