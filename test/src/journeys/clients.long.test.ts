import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminPassword, TestServer } from '../server.js';
import { contentOf } from '../trees.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const modules = join(root, 'node_modules');
const pythonPath = process.env.TEST_OPENAPI_PYTHON_CLIENT ?? '';
/** No text in any encoding, and none of a size that fits a buffer exactly. */
const original = contentOf('clients', 1_234_567);

let server: TestServer;
let source: string;
beforeAll(async () => {
  server = await TestServer.start();
  source = server.workspace.folder('source');
  writeFileSync(join(source, 'picture.bin'), original);
  writeFileSync(join(server.workspace.path, 'password'), `${adminPassword}\n`);
  writeFileSync(join(server.workspace.path, 'passphrase'), 'a passphrase for tests only\n');
});
afterAll(() => server?.remove());

/** A copy of an example, as somebody has it who took it from the repository and installed what it names. */
function copyOf(example: string): string {
  const folder = join(server.workspace.path, example);
  cpSync(join(root, 'examples', 'clients', example), folder, { recursive: true });
  symlinkSync(modules, join(folder, 'node_modules'));
  return folder;
}

const environment = () => ({
  PATH: process.env.PATH,
  HOME: server.workspace.path,
  HOLDFAST_URL: server.api.baseUrl,
  HOLDFAST_PASSWORD_FILE: join(server.workspace.path, 'password'),
  HOLDFAST_PASSPHRASE_FILE: join(server.workspace.path, 'passphrase'),
});

/** Runs the script of an example, and says whether it did all of the main job. */
async function expectMainJob(example: string, [program, ...parameters]: [string, ...string[]], env = {}) {
  const folder = join(server.workspace.path, example);
  const repository = join(server.workspace.path, 'repositories', example);
  const download = join(folder, 'downloaded');
  const { stdout } = await run(program, [...parameters, repository, source, download], {
    cwd: folder,
    env: { ...environment(), ...env },
  });
  expect(stdout).toMatch(/^Repository \d+ is at .*\nJob \d+ saved 1 files\.\nThe newest of 1 archives is /);
  expect(stdout).toContain(`picture.bin: ${original.length} bytes, the same as in the folder.`);
  expect(readFileSync(download).equals(original)).toBe(true);
}

/** Runs the tour of an example: every step says what it did, and the folder is where it was restored to. */
async function expectTour(example: string, [program, ...parameters]: [string, ...string[]], env = {}) {
  const { workspace } = server;
  const repository = join(workspace.path, 'repositories', `tour of ${example}`);
  const destination = workspace.folder(`restored by ${example}`);
  const { stdout } = await run(program, [...parameters, repository, source, destination], {
    cwd: join(workspace.path, example),
    env: { ...environment(), ...env },
  });
  const told = stdout.replaceAll(workspace.path, '').split('\n');
  expect(told).toEqual([
    'Signed in as admin.',
    `/source shows 1 entries; 1 files have ${original.length} bytes.`,
    expect.stringMatching(/^Repository \d+ saves \/source\.$/),
    expect.stringMatching(/^2 backups: one of schedule \d+, one by hand\.$/),
    'Adopted 1; the preview keeps 2 archives.',
    'It is protected, with 3 samples; its last 7 days are known.',
    expect.stringMatching(/^0 incidents; \d+ services can tell about them\.$/),
    'The folder as zip begins with PK.',
    `Restored 1 files to /restored by ${example}.`,
    'Removed, which stopped 1 schedule; back as the same one.',
    '',
  ]);
  expect(readFileSync(join(destination, 'source', 'picture.bin')).equals(original)).toBe(true);
}

/** A script of an example's package, without npm. */
async function tool(folder: string, name: string, parameters: string[]): Promise<void> {
  const words = [join(modules, ...name.split('/')), ...parameters];
  const { failed, output } = await run(process.execPath, words, { cwd: folder, env: environment() }).then(
    () => ({ failed: false, output: '' }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ failed: true, output: stdout + stderr }),
  );
  expect(failed, output).toBe(false);
}

test('TypeScript: the client of ts-rest, from the contracts', async () => {
  const folder = copyOf('ts-rest');
  await tool(folder, 'typescript/bin/tsc', ['-p', '.']);
  await expectMainJob('ts-rest', [process.execPath, 'dist/main.js']);
});

test('TypeScript: openapi-fetch, from the document of the service', async () => {
  const folder = copyOf('openapi-fetch');
  const document = `${server.api.baseUrl}/api/openapi.json`;
  await tool(folder, 'openapi-typescript/bin/cli.js', [
    document,
    '--default-non-nullable',
    'false',
    '-o',
    'holdfast.d.ts',
  ]);
  await tool(folder, 'typescript/bin/tsc', ['-p', '.']);
  await expectMainJob('openapi-fetch', [process.execPath, 'dist/main.js']);
});

test('TypeScript: our client, as a user interface uses it', async () => {
  const folder = copyOf('holdfast-client');
  await tool(folder, 'typescript/bin/tsc', ['-p', '.']);
  await expectTour('holdfast-client', [process.execPath, 'dist/tour.js']);
});

test('Python: a client that openapi-python-client makes of every operation, without a warning', async () => {
  const folder = copyOf('python');
  const env = {
    PYTHONPATH: pythonPath,
    PYTHONDONTWRITEBYTECODE: '1',
    PATH: `${join(pythonPath, 'bin')}${delimiter}${process.env.PATH}`,
  };
  const url = `${server.api.baseUrl}/api/openapi.json`;
  const choice = ['generate', '--url', url, '--output-path', 'holdfast_client', '--meta', 'none'];
  const made = await run('python3', ['-m', 'openapi_python_client', ...choice, '--fail-on-warning'], {
    cwd: folder,
    env: { ...environment(), ...env },
  });
  expect(`${made.stdout}${made.stderr}`).not.toMatch(/warning|skip|unable|error/i);
  await expectMainJob('python', ['python3', 'main.py'], env);
  await expectTour('python', ['python3', 'tour.py'], env);
});
