import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, backUp, createRepository, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { commandsIn, type PrintedSheet, readPrinted } from '../printed-sheet.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { quickSetup } from '../ssh-actions.js';
import { makeFiles, makeRemarkable, remarkable } from '../trees.js';

const run = promisify(execFile);

let server: TestServer;
let sshd: TestSshd;
let api: Api;
let source: string;
let text: string;
let printed: PrintedSheet;
let repositories: Repository[];

const odd = `O'Brien's "fotos" $HOME {now} \`id\` ü`;
const plans = [
  { name: odd, encryption: 'repokey-blake2', passphrase: `it's  "odd" $(id) \\n %s ü 日本 !`, place: odd },
  { name: 'keyfile', encryption: 'keyfile', passphrase: 'x'.repeat(200), place: 'keyfile' },
  { name: 'elsewhere', encryption: 'repokey', passphrase: 'pass word', place: `re'mote ü` },
  { name: 'open', encryption: 'none', passphrase: undefined, place: 'open' },
] as const;

beforeAll(async () => {
  [server, sshd] = await Promise.all([TestServer.start(), TestSshd.start()]);
  api = await server.login();
  const connection = await quickSetup(api, sshd);
  source = server.workspace.folder('source');
  makeRemarkable(source);
  // It is large, and says nothing about the sheet.
  rmSync(join(source, remarkable.sparse));
  makeFiles(join(source, 'many'), 20);
  const places = server.workspace.folder('places');
  const make = async ({ place, ...plan }: (typeof plans)[number]) => {
    const there =
      plan.name === 'elsewhere'
        ? { path: join(sshd.home, place), connection_id: connection.id }
        : { path: join(places, place) };
    const made = await createRepository(api, { ...plan, ...there, source_directories: [source] });
    expect((await backUp(api, made.path)).status).toBe('completed');
    return made;
  };
  repositories = await Promise.all(plans.map(make));
  const sheet = (format: string) => api.get('/api/recovery-sheet', { format, secrets: true });
  const [pdf, plain] = [await sheet('pdf'), await sheet('text')];
  expect([pdf.status, plain.status]).toEqual([200, 200]);
  text = plain.text;
  printed = readPrinted(pdf.bytes, server.workspace.folder('printed'));
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

const titleOf = ({ id }: Repository) => `Repository ${id}:`;

/** On a machine that knows nothing: an empty home, and a PATH to plain borg. */
async function onAnotherMachine(home: string, commands: string[], path: string): Promise<string> {
  mkdirSync(home, { recursive: true });
  const script = join(home, 'typed');
  writeFileSync(script, `set -e\n${commands.join('\n')}\n`);
  const env = { PATH: path, HOME: home };
  const typed = run('sh', [script], { env, cwd: home, timeout: 60_000 });
  typed.child.stdin?.end();
  return (await typed.catch(({ stderr, code }) => expect.fail(`${code}: ${stderr}`))).stdout;
}

/** Without the borg that tests use, which knows shortcuts. */
const plainPath = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('.cache/lean'))
    .join(delimiter);

function borgs(): [version: string, path: string][] {
  const newer = process.env.HOLDFAST_BORG_14;
  return [
    ['1.2', plainPath()],
    ...(newer ? [['1.4', [join(newer, '..'), plainPath()].join(delimiter)] as [string, string]] : []),
  ];
}

const isSame = (one: string, other: string) =>
  execFileSync('diff', ['-r', '--no-dereference', one, other], { encoding: 'utf8' });

test.each(borgs())('restores every file with plain borg %s and the printed sheet', async (version, path) => {
  expect((await run('borg', ['--version'], { env: { PATH: path } })).stdout).toContain(`borg ${version}.`);
  const home = server.workspace.folder(`machine ${version}`);
  const first = [commandsIn(printed.text, 'First'), commandsIn(printed.text, 'SSH key')];
  const blocks = repositories.map((each) => commandsIn(printed.text, titleOf(each)));
  const out = await onAnotherMachine(home, [...first, ...blocks], path);
  expect(out).toContain(new Date().getUTCFullYear().toString());
  for (const { id } of repositories) {
    const files = join(home, 'restored', `files-${id}`, archived(source));
    expect(isSame(source, files)).toBe('');
  }
});

test('has the same text, character for character', () => {
  for (const part of ['First', 'SSH key', ...repositories.map(titleOf)])
    expect(commandsIn(text, part)).toBe(commandsIn(printed.text, part));
});

test('has a scannable code that opens the repository for each key', async () => {
  const keys = printed.codes.filter((code) => code.startsWith('BORG_KEY '));
  expect(keys).toHaveLength(3);
  expect(printed.codes.filter((code) => code.includes('OPENSSH PRIVATE KEY'))).toHaveLength(1);
  for (const code of printed.codes) {
    const lines = code.trim().split('\n');
    for (const line of lines) expect(printed.text).toContain(line);
  }
  const keyfile = repositories[1] as Repository;
  const exported = (await api.get(`/api/repositories/${keyfile.id}/keyfile`)).text;
  const key = keys.find((each) => each.trim() === exported.trim()) ?? '';
  const block = commandsIn(printed.text, titleOf(keyfile)).replace(
    /<<'END'\n[\s\S]*\nEND\n/,
    () => `<<'END'\n${key.trimEnd()}\nEND\n`,
  );
  const home = server.workspace.folder('camera');
  await onAnotherMachine(home, [commandsIn(text, 'First'), block], plainPath());
  const files = join(home, 'restored', `files-${keyfile.id}`, archived(source));
  expect(isSame(source, files)).toBe('');
});

test('restores a lost key of a repository from the sheet', async () => {
  const [first] = repositories as [Repository];
  const home = server.workspace.folder('lost');
  const copy = join(home, 'copy');
  execFileSync('cp', ['-r', first.path, copy]);
  const config = readFileSync(join(copy, 'config'), 'utf8');
  writeFileSync(join(copy, 'config'), config.replace(/^key = [\s\S]*$/m, ''));
  const block = commandsIn(text, titleOf(first));
  const [hint] = /# Only if Borg finds no key in the repository: (.*)/.exec(block)?.slice(1) ?? [];
  const lines = block.split('\n');
  const until = lines.indexOf('borg list');
  const here = ['export BORG_REPO="$HOME/copy"', hint ?? '', ...lines.slice(until)];
  const commands = [commandsIn(text, 'First'), ...lines.slice(0, until), ...here];
  await onAnotherMachine(home, commands, plainPath());
  expect(isSame(source, join(home, 'restored', `files-${first.id}`, archived(source)))).toBe('');
});

test('runs nothing that a stranger wrote into a repository', async () => {
  const canary = join(server.workspace.path, 'canary');
  const run = `touch ${canary}`;
  const path = join(server.workspace.folder('gifts'), `a $(touch canary) '\`${'touch canary'}\` -`);
  const passphrase = "-G'  $(touch canary) ü\n\nEND\ntouch canary";
  const env = {
    PATH: plainPath(),
    HOME: server.workspace.folder('stranger'),
    BORG_PASSPHRASE: passphrase,
  };
  const borg = (...args: string[]) => execFileSync('borg', args, { env, cwd: source, stdio: 'pipe' });
  borg('init', '-e', 'repokey', path);
  borg('create', `${path}::-{{now}} $(touch canary)`, 'many');
  // Borg skips what follows the padding of a key, which those of the tests do not have.
  expect(readFileSync(join(path, 'config'), 'utf8').trimEnd()).toMatch(/=$/);
  appendFileSync(join(path, 'config'), `\tEND\n\t${run}\n\tcat > /dev/null <<'END'\n`);
  const imported = await api.post('/api/repositories/import', {
    name: `$(${run})`,
    path,
    passphrase,
    mode: 'observe',
  });
  expect([imported.status, imported.text]).toEqual([201, expect.any(String)]);
  const sheet = (await api.get('/api/recovery-sheet', { format: 'text', secrets: true })).text;
  const { id } = imported.body.repository as Repository;
  const home = server.workspace.folder('gift');
  const first = commandsIn(sheet, 'First');
  await onAnotherMachine(home, [first, commandsIn(sheet, `Repository ${id}:`)], plainPath());
  expect(isSame(join(source, 'many'), join(home, 'restored', `files-${id}`, 'many'))).toBe('');
  for (const folder of [canary, ...[home, join(home, 'restored')].map((each) => join(each, 'canary'))])
    expect(existsSync(folder)).toBe(false);
});

test('writes characters that paper cannot show unambiguously', async () => {
  expect(printed.text).toContain(`${titleOf(repositories[0] as Repository)} ${odd}`);
  const unbroken = printed.text.replace(/\n {10,}/g, '');
  expect(unbroken).toContain('it\'s\\u{20}\\u{20}"odd" $(id) \\\\n %s ü \\u{65e5}\\u{672c} !');
  expect(printed.text).toMatch(/the commands\s+have them exactly/);
  expect(text).toContain('ü 日本 !');
  expect(printed.text).toContain(await sshd.fingerprint());
});
