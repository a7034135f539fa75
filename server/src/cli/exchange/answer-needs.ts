import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BorgmaticAnswer, BorgmaticImport } from '@holdfast/contracts';
import { isolatedImporter, readPluginManifest } from '@holdfast/core/server';
import type { Importer, ImportNeed } from '@holdfast/plugin-api/importer';
import { parseArgsStringToArgv as shellWords } from 'string-argv';
import { openImporter } from '../../adapters/importer-process.js';
import { packageFolder } from '../../composition/load-plugins.js';
import { configurationOfProcess } from '../environment.js';
import { CommandError } from '../exit.js';
import { hostOf } from '../with-storage.js';
import { expandPath, withHome } from './expand-path.js';

const run = promisify(execFile);
/** Includes may include, and so on. */
const mostRounds = 30;

/** Looks up on this machine what the files refer to, as their tool would. Only an importer of this machine may ask. */
export async function answerNeeds(id: string, files: BorgmaticImport['files']): Promise<BorgmaticAnswer[]> {
  const importer = await (id === 'borgmatic' ? builtIn() : added(id));
  return importer.using((port) => answersFor(port, files));
}

function builtIn() {
  const folder = packageFolder('@holdfast/importer-borgmatic');
  if (folder === null) throw new CommandError('The package @holdfast/importer-borgmatic is not installed.');
  return isolatedImporter({ manifest: readPluginManifest(folder), configuration: {} }, openImporter);
}

async function added(id: string) {
  const { ports } = await hostOf(
    configurationOfProcess(),
    (plugin) => plugin.kind === 'importer' && plugin.id === id,
  );
  const found = ports.importer.find((importer) => importer.id === id);
  if (found) return found;
  throw new CommandError(
    `The importer ${id} is not installed here: set PLUGINS or DATA_DIR to the values that Holdfast runs with.`,
  );
}

const choices = { takeOver: true, cron: null, timezone: 'UTC', verdicts: [], found: null };

async function answersFor(
  { read }: Pick<Importer, 'read'>,
  files: BorgmaticImport['files'],
): Promise<BorgmaticAnswer[]> {
  const answers: BorgmaticAnswer[] = [];
  const isOpen = (need: ImportNeed) =>
    !answers.some(({ kind, name }) => kind === need.kind && name === need.name);
  for (let round = 0; round < mostRounds; round++) {
    const { needs, unreadable: no } = await read(files, { ...choices, answers });
    if (no) throw new CommandError(`${no.file}, line ${no.line}: ${no.problem}. Nothing was imported.`);
    const open = needs.filter(isOpen);
    if (open.length === 0) return answers;
    for (const { kind, name, file, line, optional } of open)
      answers.push({ kind, name, text: await answer({ kind, name, file, line, optional }) });
  }
  throw new CommandError('The files include each other in a loop.');
}

async function answer(need: ImportNeed): Promise<string | null> {
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

/** Its standard error may contain secrets, so it is not shown. */
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
  if (folder === undefined) throw new CommandError(`Credentials of the kind ${kind} are not supported.`);
  return (await readFile(folder === '' ? withHome(first) : join(folder, first), 'utf8')).replace(
    /\r?\n$/,
    '',
  );
}
