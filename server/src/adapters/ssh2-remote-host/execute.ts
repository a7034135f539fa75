import type { Readable } from 'node:stream';
import type { Connection } from './connection.js';
import { noCommands, stepFailure } from './failures.js';
import { outputBytes } from './limits.js';
import { commandLine } from './quote.js';
import { startCommand } from './start-command.js';

export interface Execution {
  code: number | null;
  stdout: Buffer;
  stderr: string;
}

export interface Command {
  step: string;
  /** For the shell of the account; words in it are quoted. */
  line: string;
  input?: string;
}

/** Runs a command to its end and keeps what it wrote. Rejects with RemoteHostError when the host runs none. */
export async function execute(connection: Connection, { step, line, input }: Command): Promise<Execution> {
  const { channel, ended } = await startCommand(connection, { step, line });
  channel.end(input ?? '');
  const [stdout, stderr, exit] = await Promise.all([
    contentOf(channel, step),
    contentOf(channel.stderr, step),
    ended,
  ]);
  return { code: exit?.code ?? null, stdout, stderr: stderr.toString() };
}

const contentOf = (stream: Readable, step: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > outputBytes) reject(stepFailure(step, new Error('it writes too much')));
      else chunks.push(chunk);
    });
    stream.on('end', () => resolve(Buffer.concat(chunks)));
  });

const begin = 'holdfast-begin';
const end = 'holdfast-end';

export interface Script {
  step: string;
  /** For `sh`. Fixed text: values come as `parameters`, `$1` and so on. */
  text: string;
  parameters?: readonly string[];
  input?: string;
}

/**
 * Runs a fixed script and returns what it wrote, without what shells of the host say before and after. `code` is
 * the script's own. Rejects with RemoteHostError `refused` when the host ran something else.
 */
export async function runScript(
  connection: Connection,
  { step, text, parameters = [], input }: Script,
): Promise<{ code: number; output: Buffer; stderr: string }> {
  const script = `printf '%s\\n' ${begin}; (${text}\n); c=$?; printf '%s %s\\n' ${end} "$c"`;
  const line = commandLine(['sh', '-c', script, 'sh', ...parameters]);
  const { stdout, stderr } = await execute(connection, { step, line, ...(input ? { input } : {}) });
  const start = stdout.indexOf(`${begin}\n`);
  const stop = stdout.lastIndexOf(`${end} `);
  if (start < 0 || stop < 0) throw noCommands(step, stderr || stdout.toString());
  const code = Number.parseInt(stdout.toString('latin1', stop + end.length), 10);
  return { code, output: stdout.subarray(start + begin.length + 1, stop), stderr };
}
