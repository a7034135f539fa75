import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PackageText, PluginFolder, pluginCode } from '../broken-plugins/packages.js';
import { isDeep } from '../lane.js';
import { entry } from '../product.js';
import { makeWorkspace, type Workspace } from '../workspace.js';

/** A plugin that can't be used ends the start: one sentence that names it, exit code 1, within ten seconds. */
interface Refusal {
  text: PackageText;
  sentence: RegExp;
  env?: Record<string, string>;
}

const storage = { kind: 'storage', schemes: undefined };
const notify = (port: string, schema?: string) => pluginCode({ port, ...(schema && { schema }) });
const storageWith = (more: string) =>
  pluginCode({
    kind: 'storage',
    port: `{ find() {}, insert() {}, update() {}, remove() {}, aggregate() {}, transaction() {}, start() {},
      schemaVersion() {}, ${more} }`,
  });
/** SQLite with a schema of its own. */
const storageOf = (schema: string) => `
import sound from '@holdfast/storage-sqlite';
import { z } from 'zod';
export default { kind: 'storage', configuration: z.object({}), async create(context) {
  const storage = await sound.create({ ...context, configuration: { file: context.dataFolder + '/own.db' } });
  const start = storage.start.bind(storage);
  return Object.assign(storage, {
    start: ({ schema, stillWorking }) => start({ schema: ${schema}, stillWorking }),
  });
} };`;
const needsServer = 'z.object({ server: z.string().url(), retries: z.number().int().max(9) })';

const all: Record<string, Refusal> = {
  'no manifest': { text: { manifest: null }, sentence: /\/bad is not a plugin: it has no package\.json/ },
  'a manifest that is not JSON': {
    text: { manifest: '{"name": ' },
    sentence: /\/bad .*package\.json is not JSON/,
  },
  'a manifest without a block': { text: { holdfast: null }, sentence: /^bad .*lacks "holdfast"/ },
  'another API version': {
    text: { holdfast: { apiVersion: 2 } },
    sentence: /^bad .*version 2 of the notify .*1\.1\.0/,
  },
  'an unknown kind': { text: { holdfast: { kind: 'toaster' } }, sentence: /^bad .*unknown kind "toaster"/ },
  'the package name of a built-in plugin': {
    text: { more: { name: '@holdfast/notify-webhook' } },
    sentence: /^@holdfast\/notify-webhook in \/.*\/bad has the name of a built-in/,
  },
  'the id of a built-in plugin': {
    text: { holdfast: { ...storage, id: 'sqlite' } },
    sentence: /^bad has the storage id "sqlite", which @holdfast\/storage-sqlite already uses/,
  },
  'the scheme of a built-in plugin': {
    text: { holdfast: { schemes: ['jsons'] } },
    sentence: /^bad has the scheme "jsons", which @holdfast\/notify-webhook already uses/,
  },
  'an entry outside': { text: { more: { exports: '../other/index.js' } }, sentence: /^bad .*outside/ },
  'an entry that is a link to outside': { text: {}, sentence: /^bad .*outside/ },
  'an entry that throws': {
    text: { code: 'throw new Error("boom");' },
    sentence: /^bad can't be imported: boom/,
  },
  'an entry that throws something odd': {
    text: { code: 'const loop = {}; loop.loop = loop; throw loop;' },
    sentence: /^bad can't be imported: .*Circular/,
  },
  'an entry that is no program': {
    text: { code: 'const = ;' },
    sentence: /^bad can't be imported: .*SyntaxError: Unexpected token/,
  },
  'an entry without its packages': {
    text: { code: 'import "no-such-package";' },
    sentence: /^bad can't be imported: .*no-such-package/,
  },
  'an entry that throws in a timer': {
    text: { code: 'setTimeout(() => { throw new Error("later"); }, 0); await new Promise(() => {});' },
    sentence: /^bad threw an uncaught error: later/,
  },
  'an entry that never resolves': {
    text: { code: 'await new Promise(() => {});' },
    sentence: /^bad took more than 5 s to import/,
  },
  'an entry that exports nothing': {
    text: { code: 'export {};' },
    sentence: /^bad has no plugin as its default/,
  },
  'a create that never resolves': {
    text: { code: notify('new Promise(() => {})') },
    sentence: /^bad took more than 5 s to create/,
  },
  'a create that rejects with nothing': {
    text: { code: notify('Promise.reject()') },
    sentence: /^bad could not be created: it gave no reason/,
  },
  'a start that never resolves': {
    text: { code: notify("{ schemes: ['bad'], send() {}, start: () => new Promise(() => {}) }") },
    sentence: /^bad took more than 5 s to start/,
  },
  'a storage whose start never resolves': {
    text: {
      holdfast: storage,
      code: storageWith('start: () => new Promise(() => {})'),
    },
    sentence: /^bad took more than 5 s to start/,
  },
  'an entry without end': { text: { code: 'for (;;);' }, sentence: /^bad took more than 5 s to import/ },
  'a start without end': {
    text: { code: notify("{ schemes: ['bad'], send() {}, start() { for (;;); } }") },
    sentence: /^bad took more than 5 s to start/,
  },
  'a configuration without end': {
    text: {
      code: notify("{ schemes: ['bad'], send() {} }", 'z.object({}).refine(() => { for (;;); })'),
    },
    sentence: /^bad took more than 5 s to create/,
  },
  'half a transport': { text: { code: notify("{ schemes: ['bad'] }") }, sentence: /^bad .*lacks send\.$/ },
  'half a storage': {
    text: {
      holdfast: storage,
      code: pluginCode({ kind: 'storage', port: '{ find() {}, insert() {}, update() {} }' }),
    },
    sentence: /^bad .*lacks remove, aggregate, transaction, start, schemaVersion\.$/,
  },
  'a storage of before schemas were handed over': {
    text: { holdfast: { ...storage, apiVersion: '^1' } },
    sentence: /^bad needs version \^1 of the storage plugin API, .*2\.0\.0: install a version of bad/,
  },
  'a storage with an older schema of its own': {
    text: { holdfast: storage, code: storageOf('schema.slice(0, -1)') },
    sentence: /^bad left its store at schema version \d+, but this server needs \d+: install/,
  },
  'a storage with a newer schema of its own': {
    text: {
      holdfast: storage,
      code: storageOf("[...schema, { version: 99, name: 'later', changes: [] }]"),
    },
    sentence: /^The store of bad has schema version 99, but this server knows versions up to \d+: start/,
  },
  'half a timer service': {
    text: {
      holdfast: { kind: 'jobs' },
      code: pluginCode({ kind: 'jobs', port: '{ set() {}, drain() {} }' }),
    },
    sentence: /^bad .*lacks clear, onDue\.$/,
  },
  'half a cache': {
    text: { holdfast: { kind: 'cache' }, code: pluginCode({ kind: 'cache', port: 'new Map()' }) },
    sentence: /^bad .*lacks iterator or keysWith\.$/,
  },
  'half a driver': {
    text: {
      holdfast: { kind: 'driver' },
      code: pluginCode({ kind: 'driver', port: '{ version() {}, init() {} }' }),
    },
    sentence: /^bad .*lacks archiveInfo, .*readFile\.$/,
  },
  'a code of another kind': {
    text: { code: pluginCode({ kind: 'jobs', port: '{}' }) },
    sentence: /^bad is a "notify" plugin in its package\.json, but a "jobs" plugin in its code/,
  },
  'a storage beside DATABASE_URL': {
    text: { holdfast: storage },
    env: { DATABASE_URL: 'sqlite:///tmp/unused.db' },
    sentence: /^bad is a storage plugin \(PLUGINS\) but DATABASE_URL selects another/,
  },
  'two storages': {
    text: { holdfast: storage },
    env: { PLUGINS: 'bad,other' },
    sentence: /^bad and other are both storage plugins, but only one can be used/,
  },
  'a configuration that is refused': {
    text: { code: notify("{ schemes: ['bad'], send() {} }", needsServer) },
    env: { PLUGIN_NOTIFY_BAD_SERVER: 'nowhere', PLUGIN_NOTIFY_BAD_RETRIES: '10' },
    sentence:
      /^The configuration of bad is wrong: PLUGIN_NOTIFY_BAD_SERVER: Invalid url; PLUGIN_NOTIFY_BAD_RETRIES: Number must be less than or equal to 9/,
  },
  'a configuration that is missing': {
    text: { code: notify("{ schemes: ['bad'], send() {} }", needsServer) },
    sentence: /^The configuration of bad is wrong: PLUGIN_NOTIFY_BAD_SERVER: Required/,
  },
  'a secret in what it throws': {
    text: {
      code: notify('(() => { throw new Error(configuration.url); })()', 'z.object({ url: z.string() })'),
    },
    env: { PLUGIN_NOTIFY_BAD_URL: 'maria://ada:open-sesame@127.0.0.1/db' },
    sentence: /^bad could not be created: \*\*\*\.$/,
  },
};

/** At each change one of each kind: its manifest, import, creation, start, what it offers, its configuration. */
const brief = new Set([
  'no manifest',
  'another API version',
  'the id of a built-in plugin',
  'an entry that is a link to outside',
  'an entry that throws in a timer',
  'an entry without end',
  'a create that never resolves',
  'a storage whose start never resolves',
  'half a transport',
  'a storage with a newer schema of its own',
  'two storages',
  'a configuration that is refused',
  'a secret in what it throws',
]);
const refusals = Object.fromEntries(Object.entries(all).filter(([name]) => isDeep || brief.has(name)));

interface Outcome {
  code: number | null;
  error: string;
  output: string;
  seconds: number;
}

let workspace: Workspace;
const outcomes = new Map<string, Outcome>();

async function start(name: string, { text, env }: Refusal, number: number): Promise<void> {
  const folder = new PluginFolder(join(workspace.path, `${number}`));
  const path = folder.add('bad', text);
  folder.add('other', { holdfast: storage });
  if (name === 'an entry that is a link to outside') {
    unlinkSync(join(path, 'index.js'));
    symlinkSync('../other/index.js', join(path, 'index.js'));
  }
  const variables = { PORT: '0', DATA_DIR: join(folder.path, 'data'), PLUGINS: 'bad', ...env };
  const plugins = variables.PLUGINS.replaceAll(/(bad|other)/g, './$1');
  const began = performance.now();
  const child = spawn(process.execPath, [entry], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, ...variables, PLUGINS: plugins },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
  const outcome = { error: '', output: '' };
  child.stderr.on('data', (chunk) => (outcome.error += chunk));
  child.stdout.on('data', (chunk) => (outcome.output += chunk));
  const [code] = await once(child, 'close');
  outcomes.set(name, { ...outcome, code, seconds: (performance.now() - began) / 1000 });
}

beforeAll(async () => {
  workspace = makeWorkspace();
  const waiting = Object.entries(refusals).entries();
  // Those that hang wait beside the others.
  const takeTurns = async () => {
    for (const [number, [name, refusal]] of waiting) await start(name, refusal, number);
  };
  await Promise.all(Array.from({ length: 3 }, takeTurns));
  // On a busy machine all of them take long; how long one may is judged below.
}, 400_000);
afterAll(() => workspace.remove());

/** How many times as long as on a machine with nothing else to do a start takes that waits for nothing. */
function slowness(): number {
  const prompt = [...outcomes.values()].map(({ seconds }) => seconds).toSorted((a, b) => a - b);
  return Math.max(1, (prompt[Math.floor(prompt.length / 2)] ?? 0) / 1.5);
}

test.each(Object.keys(refusals))('%s is one sentence, and the service does not start', (name) => {
  const outcome = outcomes.get(name);
  const lines = outcome?.error.trim().split('\n');
  expect(lines).toEqual([expect.stringMatching(refusals[name]?.sentence ?? /never/)]);
  expect(lines?.[0]?.endsWith('.')).toBe(true);
  expect(outcome?.code).toBe(1);
  expect(outcome?.output).not.toContain('listens');
  expect(outcome?.seconds).toBeLessThan(10 * slowness());
});
