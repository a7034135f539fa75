import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { problemsOf } from '../../scripts/docs/check.mjs';
import { writeSite } from '../../scripts/docs/site.mjs';
import { root } from './import-check.js';
import { makeWorkspace } from './workspace.js';

const workspace = makeWorkspace();
const tree = join(workspace.path, 'tree');
const site = join(workspace.path, 'site');
afterAll(() => workspace.remove());

const parts = ['docs', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'package.json', 'console/public'];
beforeEach(() => {
  rmSync(tree, { recursive: true, force: true });
  for (const part of parts) cpSync(join(root, part), join(tree, part), { recursive: true });
});

function write(path: string, text: string) {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function run(checkout: string) {
  const script = join(root, 'scripts', 'docs.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check', checkout], { encoding: 'utf8' });
  return [status, stderr.trim()];
}

const escaped = (text: string) => text.replace(/[.#]/g, '\\$&');
const page = 'docs/guides/restore.md';
const planted: [string, string, string, string][] = [
  ['page', page, '[a](nope.md)', 'nope.md: the file is missing'],
  ['anchor of another page', page, '[a](storage.md#nope)', 'storage.md#nope: no heading has this anchor'],
  ['anchor of the same page', page, '[a](#nope)', '#nope: no heading has this anchor'],
  ['picture', page, '![a](../images/nope.png)', '../images/nope.png: the file is missing'],
  ['link in a table', page, '| a |\n| - |\n| [a](nope.md) |', 'nope.md: the file is missing'],
  ['link with a definition', page, '[a][b]\n\n[b]: nope.md', 'nope.md: the file is missing'],
  ['way out', page, '[a](../../../x.md)', '../../../x.md: leads out of the repository'],
  ['file', 'README.md', '[a](examples/nope)', 'examples/nope: the file is missing'],
  ['anchor', 'README.md', '[a](docs/start/install.md#nope)', 'install.md#nope: no heading has this anchor'],
  ['anchor', 'CONTRIBUTING.md', '[a](SECURITY.md#nope)', 'SECURITY.md#nope: no heading has this anchor'],
  ['page', 'plugins/probe/README.md', '[a](../../docs/nope.md)', '../../docs/nope.md: the file is missing'],
];

test('finds no dead links in this repository', () => {
  expect(run(root)).toEqual([0, '']);
});

describe('npm run lint', () => {
  test.each(planted)('reports a dead %s in %s', (_kind, file, text, problem) => {
    write(file, `# Probe\n\n${text}\n`);
    expect(problemsOf(tree)).toContainEqual(
      expect.stringMatching(new RegExp(`^${file}:[3-5]: .*${escaped(problem)}$`)),
    );
  });

  test('accepts links in code, addresses of the web, and second headings of a name', () => {
    const text = '`[a](nope.md)` [b](https://example.org/nope.md) [c](#same-1)\n\n```\n[d](nope.md)\n```';
    write('notes/probe.md', `# Probe\n\n${text}\n\n## Same\n\n## Same\n`);
    expect(problemsOf(tree).join()).not.toContain('notes/probe.md');
  });

  test('reports a page that the sidebar lacks', () => {
    write('docs/guides/probe.md', '# Probe\n');
    const problem = 'docs/guides/probe.md: the sidebar in scripts/docs/sections.mjs does not list this page';
    expect(problemsOf(tree)).toContain(problem);
    expect(run(tree)).toEqual([1, expect.stringContaining(problem)]);
  });
});

describe('npm run docs', () => {
  test.each(planted.filter(([, file]) => file === page).filter(([kind]) => kind !== 'way out'))(
    'fails for a dead %s in %s',
    async (_kind, file, text, problem) => {
      write(file, `# Probe\n\n${text}\n`);
      await expect(writeSite(tree, site)).rejects.toThrow(problem);
    },
  );

  test('rewrites links to files outside of the site', async () => {
    const probe =
      '[code](../../core/src/server.ts#L1), [page](storage.md#borgbase), [notes](../../SECURITY.md)';
    // Other pages link to headings of this one.
    write(page, `${readFileSync(join(tree, page), 'utf8')}\n${probe}\n`);
    const written = async () => {
      await writeSite(tree, site);
      return readFileSync(join(site, 'guides', 'restore.html'), 'utf8');
    };
    const html = await written();
    expect(html).toContain('<span>code</span>');
    expect(html).toContain('<a href="storage.html#borgbase">page</a>');
    expect(html).toContain('<a href="../project/security.html">notes</a>');
    const manifest = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'));
    const repository = { type: 'git', url: 'git+https://example.org/owner/holdfast.git' };
    write('package.json', JSON.stringify({ ...manifest, repository }));
    expect(await written()).toContain(
      '<a href="https://example.org/owner/holdfast/blob/HEAD/core/src/server.ts#L1">code</a>',
    );
  });
});
