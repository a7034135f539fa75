import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from '../api.js';
import { foldersByBorg, hexOf, nameOf } from '../oracles/archive-folders.js';
import { Borg } from '../oracles/borg.js';
import { TestServer } from '../server.js';

/** `npm run soak:browsing` makes it 200,000 files in one folder, and 2,000 levels. */
const files = Number(process.env.BROWSE_FILES || 15_000);
const levels = Number(process.env.BROWSE_LEVELS || 150);
const longestMs = 600_000;

type Folders = Awaited<ReturnType<typeof foldersByBorg>>;
type Item = { name: string; type: string; size: number };
let server: TestServer;
let api: Api;
let source: string;
let expected: Folders;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  source = server.workspace.folder('s');
  const wide = server.workspace.folder('s/wide');
  // One in two hundred has a name of several bytes a letter; they stand in no order on the disk.
  const names = Array.from(
    { length: files },
    (_, n) => `${n % 200 ? 'File' : 'ÜBER'} number ${(n * 7919) % files}.txt`,
  );
  execFileSync('xargs', ['-d', '\\n', 'touch', '--'], { cwd: wide, input: names.join('\n') });
  for (let n = 0; n < files; n += 97) writeFileSync(join(wide, names[n] ?? ''), 'x'.repeat(n % 1000));
  execFileSync('mkdir', ['-p', join(source, 'd/'.repeat(levels))]);
  const borg = new Borg(join(server.workspace.path, 'repository'), server.workspace.folder('base'));
  await borg.run('init', '--encryption', 'none', borg.repository);
  archive(borg);
  expected = await foldersByBorg(borg.repository, 'one', borg.base);
  const imported = { name: 'large', path: borg.repository, mode: 'observe' };
  expect((await api.post('/api/repositories/import', imported)).status).toBe(201);
}, longestMs);
afterAll(async () => {
  if (source) execFileSync('rm', ['-rf', source]);
  await server?.remove();
}, longestMs);

/** Path by path: borg's own walk ends at a thousand levels. */
function archive({ repository, base }: Borg): void {
  const from = ['--paths-from-stdin', '--paths-delimiter', '\\0'];
  execFileSync('borg', ['create', ...from, `${repository}::one`], {
    input: execFileSync('find', [source, '-print0'], { maxBuffer: 256 << 20 }),
    env: {
      PATH: process.env.PATH,
      HOME: base,
      BORG_BASE_DIR: base,
      LANG: 'C.UTF-8',
      BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
    },
  });
}

const contents = (path: string, part: Record<string, number> = {}) =>
  api.get('/api/archives/one/contents', { repository_id: 1, path, ...part });
const described = ({ name, type, size }: Item) =>
  `${hexOf(name, false)} ${type === 'file' ? `file ${size}` : type}`;
const wantedOf = (folder: Record<string, string>) => Object.entries(folder).map((entry) => entry.join(' '));

test(
  'shows every folder with all its entries like borg',
  async () => {
    const paths = Object.keys(expected);
    expect(paths.length).toBeGreaterThan(levels + 1);
    const wrong: string[] = [];
    let entries = 0;
    const check = async (hex: string) => {
      const { status, body } = await contents(nameOf(hex));
      const found = status === 200 ? body.items.map(described).sort() : [`status ${status}`];
      const wanted = wantedOf(expected[hex] ?? {}).sort();
      entries += wanted.length;
      if (found.join('\n') !== wanted.join('\n') || body.total !== wanted.length) {
        wrong.push(`${nameOf(hex)}: ${found.length} entries, borg says ${wanted.length}`);
      }
    };
    for (let from = 0; from < paths.length; from += 8) {
      await Promise.all(paths.slice(from, from + 8).map(check));
    }
    expect(wrong).toEqual([]);
    expect(entries).toBeGreaterThan(files + levels);
    process.stdout.write(`${paths.length} folders with ${entries} entries are as bare borg says\n`);
  },
  longestMs,
);

test(
  'pages the largest folder with each entry once and in order',
  async () => {
    const path = join(source, 'wide').slice(1);
    const names = (items: Item[]) => items.map(({ name }) => name);
    const whole = names((await contents(path)).body.items);
    const parts: string[] = [];
    const limit = Math.ceil(files / 4);
    for (let offset = 0; offset < files; offset += limit) {
      parts.push(...names((await contents(path, { limit, offset })).body.items));
    }
    expect(parts.length).toBe(files);
    expect(parts.join('\n') === whole.join('\n')).toBe(true);
    const sorted = [...whole].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    expect(whole.join('\n') === sorted.join('\n')).toBe(true);
  },
  longestMs,
);
