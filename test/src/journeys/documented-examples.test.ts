import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { adminPassword, TestServer } from '../server.js';

const root = join(import.meta.dirname, '..', '..', '..');

let server: TestServer;
let api: Api;
beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
});
afterAll(() => server?.remove());

/** The shell blocks of a page, or of one of its sections. */
function blocksOf(page: string, section = ''): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const begin = section ? text.indexOf(`\n## ${section}\n`) : 0;
  const end = section ? text.indexOf('\n## ', begin + 1) : text.length;
  return [...text.slice(begin, end).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

/** Every answer of an error ends the script. A stream is read for a moment. */
const strictCurl = `
curl() {
  case " $* " in
    *' -N '*) command curl --fail-with-body --max-time 2 "$@" || [ $? = 28 ] ;;
    *) command curl --fail-with-body --max-time 60 "$@" ;;
  esac
}
set -eu
`;

/** Runs a block as a user does who pastes it, but against the service of the test, in the folder of the test. */
function paste(block: string): Promise<{ code: number; output: string }> {
  const folder = server.workspace.path;
  const script = block
    .replaceAll('http://127.0.0.1:8081', server.api.baseUrl)
    .replaceAll('/srv/backups', join(folder, 'backups'))
    .replaceAll('/backups/home', join(folder, 'backups/home'))
    .replaceAll('choose a long one', adminPassword)
    .replace(/^.*npm start &$/m, '');
  const env = { PATH: process.env.PATH, HOME: folder, TOKEN: api.token ?? '' };
  return new Promise((resolve) => {
    execFile('bash', ['-c', strictCurl + script], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
}

test('the quick start of the README works when it is pasted as one block', async () => {
  const [block = '', ...rest] = blocksOf('README.md', 'Quick start');
  expect(rest).toEqual([]);
  const { code, output } = await paste(block);
  expect(code, output).toBe(0);
  const original = readFileSync('/usr/share/doc/bash/copyright');
  expect(readFileSync(join(server.workspace.path, 'copyright')).equals(original)).toBe(true);
});

test.each(['docs/api.md'])('the examples of %s work in their order', async (page) => {
  const path = join(server.workspace.path, 'backups', 'home');
  const source = server.workspace.folder('home');
  writeFileSync(join(source, 'letter.txt'), 'a letter');
  const { id } = await createRepository(api, { name: 'home', path, source_directories: [source] });
  for (const block of blocksOf(page)) {
    const { code, output } = await paste(block.replaceAll('/repositories/1', `/repositories/${id}`));
    expect(code, `${block}\n${output}`).toBe(0);
  }
});
