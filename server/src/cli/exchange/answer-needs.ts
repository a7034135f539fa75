import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BorgmaticAnswer, BorgmaticImport } from '@holdfast/contracts';
import { type Need, openNeeds, shellWords } from '@holdfast/core/server';
import { CommandError } from '../exit.js';
import { expandPath, withHome } from './expand-path.js';

const run = promisify(execFile);
/** Includes may include, and so on. */
const mostRounds = 30;

/** Looks up on this machine what the files refer to, as borgmatic would. */
export async function answerNeeds(files: BorgmaticImport['files']): Promise<BorgmaticAnswer[]> {
  const answers: BorgmaticAnswer[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const open = await openNeeds(files, answers);
    if (open.length === 0) return answers;
    for (const { kind, name, file, line, optional } of open)
      answers.push({ kind, name, text: await answer({ kind, name, file, line, optional }) });
  }
  throw new CommandError('The files include each other without end.');
}

async function answer(need: Need): Promise<string | null> {
  const { kind, name } = need;
  try {
    if (kind === 'variable') return process.env[name] ?? null;
    if (kind === 'paths') return (await expandPath(name)).join('\n');
    if (kind === 'ssh') return await outputOf(['ssh', '-G', ...shellWords(name)]).catch(() => null);
    if (kind === 'command') return await outputOf(shellWords(name));
    if (kind === 'credential') return await credential(name);
    return kind === 'passphrase' ? null : await readFile(withHome(name), 'utf8');
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      `${need.file}, line ${need.line}: the ${kind} can't be read (${code ?? 'failed'}).`,
    );
  }
}

/** What it wrote to standard error may hold secrets, so it is not shown. */
async function outputOf([program, ...words]: string[]): Promise<string> {
  if (program === undefined) throw new CommandError('A passcommand is empty.');
  const { stdout } = await run(program, words, { timeout: 60_000, maxBuffer: 1024 * 1024 });
  return stdout.replace(/\r?\n$/, '');
}

/** `file`, `container`, `systemd` and `keepassxc`, as borgmatic names them. */
async function credential(text: string): Promise<string> {
  const [kind, ...words] = shellWords(text);
  const [first = '', second = ''] = words;
  if (kind === 'keepassxc')
    return outputOf([
      ...['keepassxc-cli', 'show', '--show-protected', '--attributes', 'Password'],
      first,
      second,
    ]);
  const folders: Record<string, string> = {
    file: '',
    container: '/run/secrets',
    systemd: process.env.CREDENTIALS_DIRECTORY ?? '/run/credentials',
  };
  const folder = folders[kind ?? ''];
  if (folder === undefined) throw new CommandError(`Credentials of the kind ${kind} are not known.`);
  return (await readFile(folder === '' ? withHome(first) : join(folder, first), 'utf8')).replace(
    /\r?\n$/,
    '',
  );
}
