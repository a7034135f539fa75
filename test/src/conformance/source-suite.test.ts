import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Dump, Prepared, Source } from '@holdfast/plugin-api/source';
import { sourceSuite } from '@holdfast/testkit';
import { describe, expect, it } from 'vitest';
import { endMark, run, soundSource, within } from '../broken-plugins/source-sound.js';

const password = 'sesame-4711';
const data = `${'row\n'.repeat(50)}${endMark}\n`;

/** Changes a sound source. */
type Change = (sound: ReturnType<typeof soundSource>) => Partial<Source>;

/** Names of the broken promises. */
async function brokenBy(change: Change): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-source-'));
  const folder = join(root, 'folder');
  mkdirSync(folder);
  writeFileSync(join(folder, 'password'), password);
  writeFileSync(join(folder, 'data'), data);
  const sound = soundSource(folder);
  const settings = { folder, password };
  const suite = sourceSuite({
    open: async () => ({ source: { ...sound, ...change(sound) }, close: async () => undefined }),
    settings,
    failing: { 'a wrong password': { folder, password: 'not-4711' } },
    secrets: [password, 'not-4711'],
    async assertReleased() {
      expect(existsSync(join(folder, 'held'))).toBe(false);
    },
    async vanish() {
      rmSync(join(folder, 'held'), { force: true });
      renameSync(folder, `${folder}-away`);
      return async () => renameSync(`${folder}-away`, folder);
    },
    async assertRestored(into) {
      expect(readFileSync(join(folder, into), 'utf8')).toBe(data);
    },
    async removeRestored(into) {
      rmSync(join(folder, into), { force: true });
    },
  });
  const broken: string[] = [];
  try {
    for (const { name, run } of suite) {
      await run({ skip: () => undefined }).catch(() => broken.push(name));
      // What one case left must not fail the next.
      rmSync(join(folder, 'held'), { force: true });
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return broken;
}

const found = 'finds what its own check accepts';
const checked = 'checks without changing anything';
const complete = 'prepares complete dumps under the same names each time';
const twice = 'releases twice';
const atCommand = 'leaves nothing behind when killed at any command';
const atRecord = 'leaves nothing behind when killed before anything is recorded';
const cancelled = 'leaves nothing behind when cancelled';
const ended = 'ends a dump when it is aborted';
const gone = 'releases what is no longer there';
const wrong = 'fails with a sentence when the settings are wrong';
const secret = 'keeps secrets out of arguments, the log and what it records';
const restored = 'restores into a new place, and replaces only on request';
const tried = 'accepts a complete dump in a drill, and rejects others';

/** The same dumps, each changed. */
const dumping =
  (change: (dump: Dump) => Partial<Dump>): Change =>
  (sound) => ({
    async prepare(settings, context): Promise<Prepared> {
      const { dumps = [] } = await sound.prepare(settings, context);
      return { dumps: dumps.map((dump) => ({ ...dump, ...change(dump) })) };
    },
  });

let calls = 0;

describe.concurrent('the suite for sources', () => {
  it('passes a sound source', async () => {
    expect(await brokenBy(() => ({}))).toEqual([]);
  });

  it.each<[string, string[], Change]>([
    [
      'has two fields of one name',
      ['describes itself'],
      ({ fields }) => ({ fields: [...fields, ...fields] }),
    ],
    [
      `finds data that it can't read`,
      [found],
      () => ({ find: async () => [{ name: 'none', settings: { folder: '/nowhere' } }] }),
    ],
    [
      'stops before it records',
      [atCommand, atRecord, cancelled],
      (sound) => ({
        async prepare(settings, context) {
          await run(context.host, settings, 'touch -- "$1/held"');
          return sound.prepare(settings, context);
        },
      }),
    ],
    [
      'never records',
      [complete, twice, atCommand, atRecord, cancelled, ended, tried],
      (sound) => ({
        prepare: (settings, context) => sound.prepare(settings, { ...context, record: async () => {} }),
      }),
    ],
    [
      'releases only once',
      [twice, atCommand, cancelled, gone],
      () => ({
        async release(_settings, undo, { host }) {
          const { code } = await host.run({ argv: ['rm', '--', join(`${undo.folder}`, 'held')] });
          if (code !== 0) throw new Error('There is nothing to release.');
        },
      }),
    ],
    [
      'releases only what this process prepared',
      [complete, twice, atCommand, atRecord, cancelled, ended, tried],
      (sound) => {
        const prepared = new Set<unknown>();
        return {
          async prepare(settings, context) {
            return sound.prepare(settings, {
              ...context,
              record: (undo) => context.record(undo).then(() => void prepared.add(undo)),
            });
          },
          async release(settings, undo, context) {
            if (prepared.has(undo)) await sound.release(settings, undo, context);
          },
        };
      },
    ],
    [
      'sends half a dump and reports success',
      [complete, secret, restored, tried],
      (sound) => ({
        async prepare(settings, context) {
          await sound.prepare(settings, context);
          const half = within(settings, 'head -c 90 -- "$1/data"');
          return { dumps: [{ name: 'data', endMark, open: (signal) => context.host.open(half, signal) }] };
        },
      }),
    ],
    [
      'sends an empty dump',
      [complete, secret, restored, tried],
      dumping(() => ({ open: async () => ({ output: Readable.from([]), code: Promise.resolve(0) }) })),
    ],
    ['names its dumps differently each time', [complete], dumping(() => ({ name: `data-${calls++}` }))],
    [
      'ignores that a dump is aborted',
      [ended],
      dumping(({ open }) => ({ open: () => open(new AbortController().signal) })),
    ],
    [
      'ignores that a backup is cancelled',
      [cancelled],
      (sound) => ({
        prepare: (settings, context) =>
          sound.prepare(settings, context).catch((error): Prepared => {
            if (context.signal.aborted) return { dumps: [] };
            throw error;
          }),
      }),
    ],
    [
      'has a secret in its arguments',
      [secret],
      (sound) => ({
        async prepare(settings, context) {
          await context.host.run({ argv: ['true', `--password=${settings.password}`] });
          return sound.prepare(settings, context);
        },
      }),
    ],
    [
      'writes a secret to the log',
      [secret],
      (sound) => ({
        async prepare(settings, context) {
          context.log('info', `Using ${settings.password}`);
          return sound.prepare(settings, context);
        },
      }),
    ],
    [
      'records a secret',
      [secret],
      (sound) => ({
        prepare: (settings, context) =>
          sound.prepare(settings, {
            ...context,
            record: (undo) => context.record({ ...undo, password: settings.password ?? '' }),
          }),
      }),
    ],
    [
      'changes something in a check',
      [checked],
      (sound) => ({
        async check(settings, context) {
          await run(context.host, settings, 'touch -- "$1/held"').catch(() => {});
          return sound.check(settings, context);
        },
      }),
    ],
    ['accepts wrong settings', [wrong], () => ({ check: async () => [{ status: 'ok', text: 'Fine.' }] })],
    [
      'names a secret in an error',
      [wrong],
      (sound) => ({
        prepare: (settings, context) =>
          sound.prepare(settings, context).catch(() => {
            throw new Error(`The server refused ${settings.password}.`);
          }),
      }),
    ],
    [
      'replaces without a request',
      [restored],
      (sound) => ({
        restore: (settings, dump, { into }, context) =>
          sound.restore(settings, dump, { into, replace: true }, context),
      }),
    ],
    [
      'says that it restored, and did not',
      [restored],
      () => ({ restore: async () => ({ text: 'It was restored.' }) }),
    ],
    [
      'accepts half a dump in a drill',
      [tried],
      () => ({ prove: async () => ({ passed: true, text: 'It is complete.' }) }),
    ],
    [
      'rejects every dump in a drill',
      [tried],
      () => ({ prove: async () => ({ passed: false, text: 'It is not complete.' }) }),
    ],
  ])('finds the source that %s', async (_, broken, change) => {
    expect(await brokenBy(change)).toEqual(broken);
  });
});
