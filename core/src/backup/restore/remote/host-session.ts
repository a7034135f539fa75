import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  bytesOfName,
  DriverError,
  type HostProcess,
  isDriverError,
  type SourceHost,
} from '@holdfast/plugin-api/driver';
import { inTurn } from '../../../foundation/kernel/index.js';
import type { Journal } from '../stage/journal.fs.js';
import { hostArgument, hostProgram } from './host-program.js';

/**
 * `d`: a directory and its entries; `p`: one path; `w`: whether it is writable; `f`: free blocks; `i`: facts
 * about the host; `k`: the limitations of the file system of a directory; `o`: an owner as known to the host.
 */
export type Question = 'd' | 'p' | 'w' | 'f' | 'i' | 'k' | 'o';

export interface HostAnswer {
  code: number;
  text: string;
  /** One for each path that was found. */
  records: Buffer[];
}

/** The command line that runs the restore program. */
export const hostCommand = (verb: string, path?: string): string[] => [
  ...['sh', '-c', hostProgram, 'holdfast-restore', verb],
  ...(path === undefined ? [] : [hostArgument(bytesOfName(path))]),
];

/** The program in its interactive mode, which answers questions one after the other. */
export class HostSession {
  readonly #answers: AsyncGenerator<HostAnswer, void>;
  readonly #inTurn = inTurn();

  private constructor(
    private readonly process: HostProcess,
    private readonly name: string,
  ) {
    this.#answers = answersOf(process.stdout);
    process.stderr.resume();
    process.exit.catch(() => undefined); // Reported to the next caller.
    process.stdin.on('error', () => undefined);
  }

  /** Rejects with DriverError. */
  static async open(host: SourceHost): Promise<HostSession> {
    return new HostSession(await host.run(hostCommand('look'), {}), host.name);
  }

  ask(question: Question, path = '/'): Promise<HostAnswer> {
    return this.#inTurn(() => this.#ask(`${question} ${hostArgument(bytesOfName(path))}\n`));
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
    throw new DriverError('connection', `The shell on ${this.name} exited early: check that it has sh.`);
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

/** Splits a stream at its NUL bytes. */
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

const maxText = 4_000;

/** Runs one command and returns its output, trimmed. Rejects with DriverError when it fails. */
export async function onHost(
  host: SourceHost,
  { command, input = [] }: { command: readonly string[]; input?: Iterable<string> | undefined },
): Promise<string> {
  const process = await host.run(command, {});
  const { exit } = process;
  exit.catch(() => undefined); // Awaited after all output was read.
  const sent = pipeline(Readable.from(input), process.stdin).catch(() => undefined);
  const [said, problems] = await Promise.all([textOf(process.stdout), textOf(process.stderr), sent]);
  const { code, signal } = await exit;
  if (code === 0) return said;
  if (code === null) throw new DriverError('connection', `${host.name} ended the command (${signal}).`);
  throw new DriverError('failed', `${host.name}: ${said || problems || `exit code ${code}`}.`);
}

/** The last characters of a stream, trimmed. */
export async function textOf(stream: HostProcess['stdout']): Promise<string> {
  let text = '';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    text = (text + chunk.toString('utf8')).slice(-maxText);
  }
  return text.trim();
}

const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000];

/** Retries connection errors for about two minutes. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (const ms of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!isDriverError(error, 'connection')) throw error;
      await pause(ms);
    }
  }
  return work();
}

/** Serialises a journal for the program on the host. */
export function* journalLines({ made, moves, modes }: Journal): Generator<string> {
  const argument = (path: string) => hostArgument(bytesOfName(path));
  for (const path of made) yield `make ${argument(path)}\n`;
  for (const [index, { from, to, replace }] of moves.entries()) {
    yield `move ${index} ${replace ? 1 : 0} ${argument(from)} ${argument(to)}\n`;
  }
  for (const [path, mode] of modes.toReversed()) yield `mode ${mode.toString(8)} ${argument(path)}\n`;
  for (const path of made.toReversed()) yield `unmake ${argument(path)}\n`;
  yield 'end\n';
}
