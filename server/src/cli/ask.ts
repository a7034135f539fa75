import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError } from './exit.js';

/**
 * Reads a secret: typed on a terminal without echo, twice unless it can be verified otherwise, or the next
 * line of standard input. `whole`: all of standard input without its last line break, for a secret of several
 * lines.
 */
export async function askSecret(what: string, { twice = true, whole = false } = {}): Promise<string> {
  if (!process.stdin.isTTY) return whole ? allLines(what) : nextLine(what);
  const typed = await askUnseen(`${what}: `);
  if (!twice || (await askUnseen(`${what} again: `)) === typed) return typed;
  throw new CommandError('The two entries differ. Nothing was changed.');
}

let lines: AsyncIterator<string> | undefined;

async function nextLine(what: string): Promise<string> {
  lines ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const { value, done } = await lines.next();
  if (!done) return value;
  throw missing(what);
}

async function allLines(what: string): Promise<string> {
  const all = await text(process.stdin);
  if (all === '') throw missing(what);
  return all.replace(/\n$/, '');
}

const missing = (what: string) =>
  new CommandError(`${what} is missing. Type it on a terminal or pipe it to standard input.`);

/** The prompt goes to standard error, so that standard output stays machine-readable. */
function askUnseen(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  return new Promise((resolve, reject) => {
    reader.once('line', (line) => {
      resolve(line);
      reader.close();
    });
    reader.once('SIGINT', () => reader.close());
    reader.once('close', () => {
      process.stderr.write('\n');
      reject(new CommandError('Nothing was typed. Nothing was changed.'));
    });
  });
}
