import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './import-check.js';

const read = (...parts: string[]) => readFileSync(join(root, ...parts), 'utf8');
const { version } = JSON.parse(read('package.json'));
const folder = join(root, '.github', 'workflows');

interface Job {
  needs?: string | string[];
  permissions?: Record<string, string>;
  uses?: string;
  steps?: { uses?: string; run?: string }[];
}
interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

/** What each job may do beyond reading the sources. */
const mayWrite: Record<string, string[]> = {
  image: ['packages'],
  'image-index': ['packages'],
  packages: ['id-token'],
  release: ['contents'],
};

test.each(readdirSync(folder))('%s has minimal permissions and names only existing files', (name) => {
  const { permissions, jobs } = parse(read('.github', 'workflows', name)) as Workflow;
  expect(Object.entries(permissions).filter(([, right]) => right !== 'read')).toEqual([]);
  for (const [id, job] of Object.entries(jobs)) {
    const writes = Object.entries(job.permissions ?? {}).filter(([, right]) => right === 'write');
    expect([id, writes.map(([what]) => what)]).toEqual([id, mayWrite[id] ?? []]);
    for (const other of [job.needs ?? []].flat()) expect(Object.keys(jobs)).toContain(other);
    if (job.uses) expect(existsSync(join(root, job.uses))).toBe(true);
    for (const { uses = 'actions/', run = '' } of job.steps ?? []) {
      expect(uses, 'nothing of third parties').toMatch(/^actions\//);
      for (const [file] of run.matchAll(/(?:scripts|\.ci)\/[\w./-]+/g))
        expect(existsSync(join(root, file))).toBe(true);
    }
  }
});

test('publishes nothing before all checks passed', () => {
  const { jobs } = parse(read('.github', 'workflows', 'release.yml')) as Workflow;
  const before = (id: string): string[] =>
    [jobs[id]?.needs ?? []].flat().flatMap((other) => [other, ...before(other)]);
  for (const id of Object.keys(mayWrite))
    expect(before(id)).toEqual(expect.arrayContaining(['check', 'notes']));
});

test('takes release notes from the section of the version, and from no other', () => {
  const notesOf = (tag: string) =>
    spawnSync(process.execPath, [join(root, 'scripts', 'release-notes.mjs'), tag], { encoding: 'utf8' });
  const { status, stdout } = notesOf(`v${version}`);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^### /);
  expect(stdout).not.toMatch(/^## /m);
  expect(read('CHANGELOG.md')).toContain(stdout);
  expect(notesOf('v99.0.0')).toMatchObject({ status: 1, stdout: '' });
});
