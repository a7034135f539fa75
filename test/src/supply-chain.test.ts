import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answersBelow } from '../../scripts/supply-chain/answers.mjs';
import { judgeAudit } from '../../scripts/supply-chain/audit.mjs';
import { scriptProblems } from '../../scripts/supply-chain/install-scripts.mjs';
import { licencePage, licenceProblems, productionPackages } from '../../scripts/supply-chain/licences.mjs';
import { lockFileProblems } from '../../scripts/supply-chain/lock-file.mjs';
import { runningPlaces } from '../../scripts/supply-chain/running.mjs';
import { root } from './import-check.js';

const read = (...parts: string[]) => readFileSync(join(root, ...parts), 'utf8');
const hash = `sha512-${'A'.repeat(86)}==`;
const lockWith = (entry: object) => ({
  lockfileVersion: 3,
  packages: {
    '': { name: 'holdfast' },
    core: { version: '0.1.0' },
    'node_modules/@holdfast/core': { resolved: 'core', link: true },
    'node_modules/sound': { version: '1.0.0', integrity: hash, license: 'MIT' },
    'node_modules/sound/node_modules/probe': { version: '1.2.3', integrity: hash, ...entry },
  },
});

test('runs the check in lint', () => {
  expect(read('scripts/lint.mjs')).toContain("['scripts/check-supply-chain.mjs']");
});

test('accepts the lock file of this tree', () => {
  expect(lockFileProblems(JSON.parse(read('package-lock.json')))).toEqual([]);
});

test.each<[string, object, RegExp]>([
  ['a package without a hash', { integrity: undefined }, /probe@1\.2\.3 has no integrity hash/],
  ['a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, /no SHA-512 hash/],
  ['a cut hash', { integrity: 'sha512-AAAA==' }, /no SHA-512 hash/],
  [
    'a private registry',
    { resolved: 'https://npm.inside.example/probe.tgz' },
    /comes from npm\.inside\.example/,
  ],
  ['a name like the registry', { resolved: 'https://registry.npmjs.org.example/p' }, /npmjs\.org\.example/],
  ['a way without encryption', { resolved: 'http://registry.npmjs.org/p.tgz' }, /comes from registry/],
  ['a repository', { resolved: 'git+ssh://git@host.example/probe.git' }, /comes from host\.example/],
  ['a version that is none', { version: undefined }, /no version/],
  ['a tool of development without a hash', { integrity: undefined, dev: true }, /no integrity hash/],
  [
    'an optional part of the service',
    { integrity: undefined, optional: true, os: ['darwin'] },
    /no integrity/,
  ],
])('%s is found in the lock file', (_what, entry, problem) => {
  expect(lockFileProblems(lockWith(entry)).join('\n')).toMatch(problem);
});

test('accepts sound entries', () => {
  const fromRegistry = { resolved: 'https://registry.npmjs.org/probe/-/probe-1.2.3.tgz' };
  const elsewhere = { integrity: undefined, dev: true, optional: true, os: ['darwin'] };
  for (const entry of [{}, fromRegistry, elsewhere]) expect(lockFileProblems(lockWith(entry))).toEqual([]);
  expect(lockFileProblems({ lockfileVersion: 1, packages: {} })).toHaveLength(1);
});

const scriptsOf = (entry: object, more = {}) =>
  scriptProblems(lockWith(entry), {
    manifest: { allowScripts: { sqlite3: true } },
    npmrc: 'ignore-scripts=true\n',
    answered: new Map<string, string>(),
    ...more,
  });

test.each<[string, object, object, RegExp]>([
  ['a package with an install script', { hasInstallScript: true }, {}, /^probe has an install script/],
  ['an answer that is not needed', {}, { answered: new Map([['probe', '']]) }, /^probe is answered/],
  ['another allowed script', {}, { manifest: { allowScripts: { probe: true } } }, /must name sqlite3 alone/],
  ['scripts that run', {}, { npmrc: '' }, /ignore-scripts/],
  [
    'a package that reports installations',
    { dependencies: { '@scarf/scarf': '1' } },
    {},
    /^@scarf\/scarf must/,
  ],
])('reports %s', (_what, entry, more, problem) => {
  expect(scriptsOf(entry, more)).toEqual([expect.stringMatching(problem)]);
});

test('accepts a script that was answered', () => {
  expect(scriptsOf({ hasInstallScript: true }, { answered: new Map([['probe', 'compiles']]) })).toEqual([]);
  expect(scriptsOf({})).toEqual([]);
});

const packagesWith = (entry: object, { manifest = null as object | null, answers = new Map() } = {}) =>
  productionPackages(lockWith(entry), { manifestOf: () => manifest, answers, kept: [] });
const licenceProblemsOf = (...given: Parameters<typeof packagesWith>) =>
  licenceProblems(packagesWith(...given));

test.each([
  ['GPL-3.0-only'],
  ['AGPL-3.0-or-later'],
  ['BUSL-1.1'],
  ['UNLICENSED'],
  ['SEE LICENSE IN x'],
  ['(MIT AND GPL-2.0-only)'],
  ['BSD'],
])('refuses the licence %s', (license) => {
  expect(licenceProblemsOf({ license })).toEqual([
    expect.stringContaining(`probe@1.2.3 has the licence ${license}`),
  ]);
});

test.each([['MIT'], ['(MIT OR GPL-3.0-only)'], ['(BSD-2-Clause OR MIT OR Apache-2.0)'], ['MIT AND ISC']])(
  'accepts the licence %s',
  (license) => expect(licenceProblemsOf({ license })).toEqual([]),
);

test('reports a package without a licence unless manifest or page states one', () => {
  expect(licenceProblemsOf({})).toEqual([expect.stringContaining('does not state its licence')]);
  expect(licenceProblemsOf({}, { manifest: { licenses: [{ type: 'MIT' }] } })).toEqual([]);
  expect(
    licenceProblemsOf({}, { manifest: { licenses: [{ type: 'GPL-2.0' }, { type: 'MIT' }] } }),
  ).toHaveLength(1);
  expect(licenceProblemsOf({}, { answers: new Map([['probe', 'ISC']]) })).toEqual([]);
  expect(licenceProblemsOf({ dev: true, license: 'GPL-3.0-only' })).toEqual([]);
});

test('counts bundled packages of the console as shipped, but not its build tools', () => {
  const packages = {
    console: { devDependencies: { vite: '1', preact: '1', plot: '1', '@holdfast/client': '1' } },
    'node_modules/@holdfast/client': { resolved: 'client', link: true },
    'node_modules/service': {},
    'node_modules/tool': { dev: true },
    'node_modules/vite': { dev: true, dependencies: { tool: '1' } },
    'node_modules/preact': { dev: true },
    'console/node_modules/plot': { dev: true, dependencies: { '@a/lines': '1', preact: '2', service: '1' } },
    'console/node_modules/plot/node_modules/preact': { dev: true },
    'node_modules/@a/lines': { dev: true },
  };
  expect([...runningPlaces({ packages })].sort()).toEqual([
    'console/node_modules/plot',
    'console/node_modules/plot/node_modules/preact',
    'node_modules/@a/lines',
    'node_modules/preact',
    'node_modules/service',
  ]);
});

test('counts packages whose files are kept here', () => {
  const kept = [{ name: 'viewer', version: '1.0.0', license: 'GPL-3.0-only' }];
  expect(
    licenceProblems(
      productionPackages(lockWith({ license: 'MIT' }), { manifestOf: () => null, answers: new Map(), kept }),
    ),
  ).toEqual([expect.stringContaining('viewer@1.0.0')]);
});

test('lists each package below its licence', () => {
  const page = licencePage(packagesWith({ license: 'ISC' }));
  expect(page).toContain('## ISC\n\n- probe 1.2.3\n');
  expect(page).toContain('## MIT\n\n- sound 1.0.0\n');
  expect(page).not.toContain('holdfast/core');
});

const advisory = {
  source: 1,
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  severity: 'high',
  title: 'It breaks',
};
const report = JSON.stringify({
  vulnerabilities: {
    probe: { via: [advisory], nodes: ['node_modules/sound/node_modules/probe'] },
    user: { via: ['probe'], nodes: ['node_modules/user'] },
  },
});
const running = new Set(['node_modules/sound/node_modules/probe', 'node_modules/user']);

test('reports a vulnerability until it is answered, and an outdated answer', () => {
  const id = 'GHSA-aaaa-bbbb-cccc';
  expect(judgeAudit(report, new Map(), running).problems).toEqual([`probe: It breaks (high, ${id})`]);
  expect(judgeAudit(report, new Map([[id, 'probe']]), running)).toEqual({
    problems: [],
    remark: '1 known, 1 of them answered.',
  });
  const none = JSON.stringify({ vulnerabilities: {} });
  expect(judgeAudit(none, new Map([[id, 'probe']]), running).problems).toEqual([expect.stringContaining(id)]);
  expect(judgeAudit(none, new Map(), running).problems).toEqual([]);
  expect(judgeAudit(report, new Map(), new Set(['node_modules/user'])).problems).toEqual([]);
});

test.each([
  [
    'says no',
    '{"message": "405 Method Not Allowed - POST https://x.example/-/npm", "error": {"summary": ""}}',
  ],
  ['is away', '{"error": {"code": "ENOTFOUND", "summary": "request failed"}}'],
  ['says nothing', ''],
])('reports a registry that %s without failing', (_what, output) => {
  const { problems, remark } = judgeAudit(output, new Map(), running);
  expect(problems).toEqual([]);
  expect(remark).toMatch(/^Not checked: /);
  expect(remark).not.toContain('x.example');
});

test('answers without a reason don’t count', () => {
  const page = (reason: string) =>
    `# D\n\n## Answered advisories\n\n| A | P | W |\n| - | - | - |\n| GHSA-1 | probe | ${reason} |\n\n## Next\n`;
  expect(answersBelow(page('not reached'), 'Answered advisories')).toEqual(new Map([['GHSA-1', 'probe']]));
  expect(() => answersBelow(page(''), 'Answered advisories')).toThrow(/no reason for GHSA-1/);
  expect(() => answersBelow('# D\n', 'Answered advisories')).toThrow(/has no section/);
});
