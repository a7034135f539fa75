import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError, interrupted } from './errors.js';

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

/** The prompts go to standard error, so that standard output stays machine-readable. */
async function askUnseen(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const text = await typed(reader);
  process.stderr.write('\n');
  return text;
}

/** Whether the answer to the question is yes. */
export async function askYes(question: string): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  reader.setPrompt(`${question} [y/N] `);
  reader.prompt();
  return /^y(es)?$/i.test((await typed(reader)).trim());
}

function typed(reader: Interface): Promise<string> {
  return new Promise((resolve, reject) => {
    let code: number | undefined;
    reader.once('line', (line) => {
      reader.removeAllListeners('close');
      resolve(line);
      reader.close();
    });
    reader.once('SIGINT', () => {
      code = interrupted;
      reader.close();
    });
    reader.once('close', () => {
      process.stderr.write('\n');
      reject(new CommandError('Nothing was typed. Nothing was changed.', code));
    });
  });
}
