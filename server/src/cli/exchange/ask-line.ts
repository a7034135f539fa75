import { createInterface } from 'node:readline';
import { askUnseen } from '../ask.js';
import { CommandError } from '../exit.js';

let lines: Promise<string[]> | undefined;

/** A secret: typed on a terminal, `twice` if nobody can tell it again; else the next line of standard input. */
export async function askLine(what: string, { twice = false } = {}): Promise<string> {
  if (!process.stdin.isTTY) {
    lines ??= allLines();
    const line = (await lines).shift();
    if (line) return line;
    throw new CommandError(`${what} is missing. Type it on a terminal or pipe it to standard input.`);
  }
  const typed = await askUnseen(`${what}: `);
  if (twice && (await askUnseen(`${what} again: `)) !== typed)
    throw new CommandError('The two entries differ. Nothing was changed.');
  return typed;
}

async function allLines(): Promise<string[]> {
  const all: string[] = [];
  for await (const line of createInterface({ input: process.stdin })) all.push(line);
  return all;
}
