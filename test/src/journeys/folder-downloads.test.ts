import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, backUp, createRepository, expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { borgProcesses } from '../processes.js';
import { TestServer } from '../server.js';
import { makeFiles, makeRandomFiles, makeRemarkable, remarkable } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let source: string;
let repository: string;
let archive: string;
let unpacked = 0;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  source = server.workspace.folder('source');
  makeRemarkable(join(source, 'odd'));
  makeFiles(join(source, 'plain'), 40);
  makeRandomFiles(join(source, 'big'), 3, 20);
  execFileSync('mkfifo', [join(source, 'odd', 'pipe')]);
  repository = join(server.workspace.path, 'repository');
  await createRepository(api, { name: 'folders', path: repository, source_directories: [source] });
  archive = (await backUp(api, repository)).archive_name ?? '';
}, 300_000);
afterAll(() => server?.remove());

const inside = (...parts: string[]) => archived(join(source, ...parts));
const linkTo = (paths: string[], more: Record<string, string> = {}) =>
  `/api/archives/download?${new URLSearchParams([
    ['repository', repository],
    ['archive', archive],
    ...paths.map((path): [string, string] => ['file_path', path]),
    ...Object.entries(more),
  ])}`;

function unpack(command: string, args: string[], input: Buffer): string {
  unpacked += 1;
  const folder = server.workspace.folder('unpacked', `${unpacked}`);
  const file = join(folder, '..', `${unpacked}.file`);
  writeFileSync(file, input);
  mkdirSync(folder, { recursive: true });
  execFileSync(command, [...args, file], { cwd: folder });
  return folder;
}

/** Fails if anything differs. */
const compare = (folder: string, ...parts: string[]) =>
  execFileSync('diff', ['-r', '--no-dereference', join(source, ...parts), join(folder, inside(...parts))]);

test.each(['tar', 'tar.gz'] as const)('downloads a folder as %s with every name and link', async (format) => {
  const answer = await api.get(linkTo([inside('odd')], { format }));
  expect([answer.status, answer.headers['content-disposition']]).toEqual([
    200,
    `attachment; filename="odd.${format}"`,
  ]);
  const tar = format === 'tar' ? answer.bytes : gunzipSync(answer.bytes);
  const folder = unpack('tar', ['-xf'], tar);
  execFileSync('rm', [join(folder, inside('odd', 'pipe'))]);
  const fifo = join(source, 'odd', 'pipe');
  execFileSync('diff', [
    '-r',
    '--no-dereference',
    '-x',
    'pipe',
    join(source, 'odd'),
    join(folder, inside('odd')),
  ]);
  expect(statSync(fifo).isFIFO()).toBe(true);
  const [first, second] = [remarkable.firstName, remarkable.secondName].map(
    (name) => statSync(join(folder, inside('odd', name))).ino,
  );
  expect(first).toBe(second);
});

test('downloads several entries as zip with notes about losses', async () => {
  const paths = [inside('odd'), inside('plain', 'dir-0000'), inside('plain', 'dir-0000', 'file-000001.txt')];
  const answer = await api.get(linkTo(paths, { format: 'zip' }));
  expect(answer.headers['content-type']).toBe('application/zip');
  const folder = unpack('unzip', ['-q'], answer.bytes);
  compare(folder, 'plain', 'dir-0000');
  const odd = readdirSync(join(folder, inside('odd')));
  expect(odd).toContain('bad%FFname.bin');
  expect(odd).toContain(remarkable.unicode);
  const notes = readFileSync(join(folder, 'holdfast-notes.txt'), 'utf8');
  for (const name of ['bad%FFname.bin', remarkable.secondName, 'pipe']) expect(notes).toContain(name);
});

test('downloads the whole archive as one file', async () => {
  const { bytes } = await api.get(linkTo(['/'], { format: 'tar' }));
  const folder = unpack('tar', ['-xf'], bytes);
  compare(folder, 'plain');
  compare(folder, 'big');
});

test('stores a long list in a ticket for one download', async () => {
  const names = Array.from({ length: 40 }, (_, n) =>
    inside('plain', 'dir-0000', `file-${`${n}`.padStart(6, '0')}.txt`),
  );
  const url = linkTo([], { format: 'tar' });
  const made = await api.post('/api/download-tickets', { url, file_paths: names });
  expect([made.status, made.body.url.includes('file-0000')]).toEqual([201, false]);
  const answer = await server.api.get(made.body.url);
  compare(unpack('tar', ['-xf'], answer.bytes), 'plain');
  expectRefusal(await server.api.get(made.body.url), 401);
  const refused = [
    { url: linkTo(names.slice(0, 1)), file_paths: names },
    { url: '/api/backup/logs/1/download', file_paths: names },
    { url, file_paths: [] },
    { url },
  ];
  for (const body of refused) expectRefusal(await api.post('/api/download-tickets', body), 400);
});

test('refuses missing paths before sending anything', async () => {
  const missing = linkTo([inside('plain'), inside('nowhere')], { format: 'tar' });
  const answer = await api.get(missing);
  expectRefusal(answer, 404, /nowhere/);
  expect(answer.body.code).toBe('archive_path_unknown');
  expectRefusal(await api.get(linkTo([inside('plain'), inside('big')])), 400, /format/);
  expectRefusal(await api.get(linkTo([inside('plain')])), 400, /only files/);
  expectRefusal(await api.get(linkTo([inside('plain')], { format: 'rar' })), 400);
  expectRefusal(await api.get(linkTo(['../etc'], { format: 'tar' })), 400);
});

test.each(['tar', 'zip'])('ends the tool when the client disconnects (%s)', async (format) => {
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${api.token}` };
  const url = new URL(linkTo([inside('big')], { format }), server.api.baseUrl);
  const answer = await fetch(url, { headers, signal: gone.signal });
  await answer.body?.getReader().read();
  expect(borgProcesses(repository)).not.toEqual([]);
  gone.abort();
  const left = () => borgProcesses(repository).length === 0;
  await waitFor(left, { what: 'the end of the tool', timeoutMs: 60_000 });
  expect((await backUp(api, repository)).status).toBe('completed');
});

test.each(['tar', 'tar.gz', 'zip'])('breaks the connection at damage in the middle (%s)', async (format) => {
  const segments = join(repository, 'data', '0');
  const [largest = ''] = readdirSync(segments)
    .map((name) => join(segments, name))
    .sort((a, b) => statSync(b).size - statSync(a).size);
  const whole = readFileSync(largest);
  const damaged = Buffer.from(whole);
  damaged.fill(0xff, Math.floor(damaged.length / 2), Math.floor(damaged.length / 2) + 4096);
  writeFileSync(largest, damaged);
  try {
    await expect(api.get(linkTo([inside('big')], { format }))).rejects.toThrow(/terminated|fetch failed/);
  } finally {
    writeFileSync(largest, whole);
  }
});
