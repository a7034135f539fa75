import { jsonText, safe, tableLines, wrapped } from './text.js';

export type Tone = 'good' | 'bad';

/** Infinite in a pipe. */
export const columns = ({ isTTY, columns: all }: NodeJS.WriteStream = process.stdout): number =>
  isTTY ? Math.max(20, all || 80) : Number.POSITIVE_INFINITY;

/** Whether the terminal can move its cursor. */
export const canRedraw = (): boolean => process.stdout.isTTY === true && process.env.TERM !== 'dumb';

const colours = { good: 32, bad: 31 };
const inColour = (line: string, tone: Tone | undefined) =>
  tone && canRedraw() && !process.env.NO_COLOR ? `\x1b[${colours[tone]}m${line}\x1b[0m` : line;

/** Prints a text, which needs no line break at its end. */
export function print(text: string, { tone, indent = 0 }: { tone?: Tone; indent?: number } = {}): void {
  const lines = wrapped(' '.repeat(indent) + safe(text), columns(), indent && indent + 2);
  for (const line of lines) process.stdout.write(`${inColour(line, tone)}\n`);
}

/** For what is pasted or read line by line: the terminal breaks it. */
export const printWhole = (text: string): void => void process.stdout.write(`${safe(text)}\n`);

export function printTable(rows: readonly (readonly string[])[]): void {
  for (const line of tableLines(
    rows.map((row) => row.map(safe)),
    columns(),
  ))
    process.stdout.write(`${line}\n`);
}

export const printJson = (value: unknown): void => void process.stdout.write(`${jsonText(value)}\n`);

/** For what is no result: standard output stays machine-readable. */
export function note(text: string): void {
  for (const line of wrapped(safe(text), columns(process.stderr))) process.stderr.write(`${line}\n`);
}
