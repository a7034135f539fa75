import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { CheckContext, Dump, Source, SourceSettings, Undo } from '@holdfast/plugin-api/source';
import { type ConformanceCase, conformanceCase, offered } from './case.js';
import { Died, type HostOfCase, hostOfCase } from './source/host.js';

export interface SourceSuiteOptions {
  open(): Promise<{ source: Source; close(): Promise<void> }>;
  /** Settings with which a backup works now. */
  settings: SourceSettings;
  /** Settings with which none works, by what is wrong: a password, a server that is not there. */
  failing?: Readonly<Record<string, SourceSettings>>;
  /** Secrets among the settings. */
  secrets?: readonly string[];
  /** Rejects unless everything runs as it did before a backup: nothing is stopped, frozen, mounted or left behind. */
  assertReleased?(): Promise<void>;
  /** Removes what the settings name, such as a container, until the returned function is called. */
  vanish?(): Promise<() => Promise<void>>;
  /** Rejects unless the data is in the database of this name, or in the file that was restored. */
  assertRestored?(into: string): Promise<void>;
  /** Removes what a case restored. */
  removeRestored?(into: string): Promise<void>;
  /** What the source does not offer. */
  without?: readonly ('find' | 'restore' | 'prove')[];
}

type Suite = Required<Omit<SourceSuiteOptions, 'vanish' | 'assertRestored'>> &
  Pick<SourceSuiteOptions, 'vanish' | 'assertRestored'>;

interface Bench extends Suite {
  source: Source;
}

const token = 'holdfast-suite';
const most = 64;

interface Prepared {
  undo: Undo | null;
  dumps: readonly Dump[];
  host: HostOfCase;
}

const contextOn = (host: HostOfCase, signal = new AbortController().signal): CheckContext => ({
  folders: [],
  host,
  signal,
  log: (_level, text) => void host.logged.push(text),
});

/** Prepares once; the undo is what was recorded last, even if it failed. */
async function prepare(
  { source, settings }: Pick<Bench, 'source' | 'settings'>,
  host: HostOfCase,
  { diesAtRecord = Number.POSITIVE_INFINITY, signal = new AbortController().signal } = {},
): Promise<Prepared & { error: unknown }> {
  let undo: Undo | null = null;
  let records = 0;
  const record = async (next: Undo) => {
    if (records++ === diesAtRecord) throw host.die();
    undo = JSON.parse(JSON.stringify(next)) as Undo;
  };
  try {
    const prepared = await source.prepare(settings, {
      ...contextOn(host, signal),
      token,
      record,
    });
    return { undo, dumps: prepared.dumps ?? [], host, error: null };
  } catch (error) {
    return { undo, dumps: [], host, error };
  }
}

/** As another process does: with the settings and what was recorded, and nothing else. */
async function release(bench: Bench, undo: Undo | null): Promise<void> {
  if (undo !== null) await bench.source.release(bench.settings, undo, contextOn(hostOfCase()));
}

async function content({ open, endMark }: Dump): Promise<Buffer> {
  const { output, code } = await open(new AbortController().signal);
  const pieces = await output.toArray();
  const bytes = Buffer.concat(pieces as Buffer[]);
  assert.equal(await code, 0, 'a dump failed');
  assert.ok(bytes.length > 0, 'a dump is empty');
  const tail = bytes.subarray(-512).toString('latin1');
  if (endMark !== undefined) assert.ok(tail.includes(endMark), 'a complete dump lacks its end mark');
  return bytes;
}

/** Dies before the n-th command, and right after it, for every n. */
async function killedAtEachCommand(bench: Bench): Promise<void> {
  for (let at = 0; at < most; at += 1) {
    let died = false;
    for (const when of ['before', 'after'] as const) {
      const host = hostOfCase({ diesAt: at, when });
      const { undo, error } = await prepare(bench, host);
      died ||= host.isDead;
      if (host.isDead && when === 'before')
        assert.ok(error !== null, 'prepare succeeded although a command of it failed');
      await release(bench, undo);
      await bench.assertReleased();
    }
    if (!died) return;
  }
  assert.fail(`prepare runs more than ${most} commands`);
}

async function killedAtEachRecord(bench: Bench): Promise<void> {
  for (let at = 0; at < most; at += 1) {
    const host = hostOfCase();
    const { undo, error } = await prepare(bench, host, { diesAtRecord: at });
    if (host.isDead) assert.ok(error !== null, 'prepare continued although nothing was recorded');
    await release(bench, undo);
    await bench.assertReleased();
    if (!host.isDead) return;
  }
  assert.fail(`prepare records more than ${most} times`);
}

async function cancelledAtEachCommand(bench: Bench): Promise<void> {
  for (let at = 0; at < most; at += 1) {
    const stop = new AbortController();
    const onCommand = () => host.commands.length > at && stop.abort();
    const host = hostOfCase({ onCommand, signal: stop.signal });
    const { undo, error } = await prepare(bench, host, { signal: stop.signal });
    if (stop.signal.aborted) assert.ok(error !== null, 'prepare succeeded although it was cancelled');
    await release(bench, undo);
    await bench.assertReleased();
    if (!stop.signal.aborted) return;
  }
  assert.fail(`prepare runs more than ${most} commands`);
}

/** Each with a host of its own, and released afterwards. */
async function prepared(bench: Bench, work: (prepared: Prepared) => Promise<void>): Promise<void> {
  const host = hostOfCase();
  const done = await prepare(bench, host);
  try {
    if (done.error !== null) throw done.error;
    await work(done);
  } finally {
    await release(bench, done.undo);
  }
}

const vanishing = 'releases what is no longer there';
const wrong = 'fails with a sentence when the settings are wrong';
const finding = 'finds what its own check accepts';
const restoring = 'restores into a new place, and replaces only on request';
const trying = 'accepts a complete dump in a drill, and rejects others';
const secretly = 'keeps secrets out of arguments, the log and what it records';

const checks: Record<string, (bench: Bench) => Promise<void>> = {
  'describes itself': async ({ source, settings, without }) => {
    const names = source.fields.map(({ name }) => name);
    assert.ok(source.title.trim() !== '', 'it has no title');
    assert.equal(new Set(names).size, names.length, 'two fields have one name');
    for (const { name, label, help } of source.fields) {
      assert.match(name, /^[a-z][a-z0-9_]*$/);
      assert.ok(label.trim() !== '' && help.trim() !== '', `${name} has no label or no help`);
    }
    for (const method of without) assert.equal(source[method], undefined, `it has ${method}`);
    assert.deepEqual(
      Object.keys(settings).filter((name) => !names.includes(name)),
      [],
    );
  },
  [finding]: async (bench) => {
    const find = offered(bench.source.find?.bind(bench.source), 'find');
    for (const { name, kind, settings } of await find(contextOn(hostOfCase()))) {
      // Others of other kinds are checked by these.
      if (kind !== undefined) continue;
      assert.ok(name.trim() !== '', 'a candidate has no name');
      const findings = await bench.source.check({ ...bench.settings, ...settings }, contextOn(hostOfCase()));
      assert.deepEqual(failedOf(findings), []);
    }
  },
  'checks without changing anything': async (bench) => {
    const findings = await bench.source.check(bench.settings, contextOn(hostOfCase()));
    assert.ok(findings.length > 0, 'the check says nothing');
    assert.deepEqual(failedOf(findings), []);
    await bench.assertReleased();
  },
  'prepares complete dumps under the same names each time': async (bench) => {
    const names: string[][] = [];
    for (const _ of [1, 2])
      await prepared(bench, async ({ dumps }) => {
        names.push(dumps.map(({ name }) => name));
        for (const dump of dumps) await content(dump);
      });
    assert.deepEqual(names[0], names[1]);
    assert.equal(new Set(names[0]).size, names[0]?.length, 'two dumps have one name');
    await bench.assertReleased();
  },
  'releases twice': async (bench) => {
    const { undo, error } = await prepare(bench, hostOfCase());
    assert.equal(error, null);
    for (const _ of [1, 2]) await release(bench, undo);
    await bench.assertReleased();
  },
  'leaves nothing behind when killed at any command': killedAtEachCommand,
  'leaves nothing behind when killed before anything is recorded': killedAtEachRecord,
  'leaves nothing behind when cancelled': cancelledAtEachCommand,
  'ends a dump when it is aborted': async (bench) => {
    await prepared(bench, async ({ dumps, host }) => {
      for (const { open } of dumps) {
        const stop = new AbortController();
        const { output, code } = await open(stop.signal);
        stop.abort();
        for (const signal of host.opened) assert.ok(signal.aborted, 'a program does not end with its dump');
        await Promise.allSettled([output.toArray(), code]);
      }
    });
    await bench.assertReleased();
  },
  [vanishing]: async (bench) => {
    const vanish = offered(bench.vanish, 'vanish');
    const { undo, error } = await prepare(bench, hostOfCase());
    assert.equal(error, null);
    const back = await vanish();
    try {
      await release(bench, undo);
    } finally {
      await back();
    }
    await bench.assertReleased();
  },
  [wrong]: async (bench) => {
    for (const [what, settings] of Object.entries(bench.failing)) {
      const misled = { ...bench, settings };
      const findings = await bench.source.check(settings, contextOn(hostOfCase()));
      assert.ok(failedOf(findings).length > 0, `the check accepts ${what}`);
      const { undo, error, dumps } = await prepare(misled, hostOfCase());
      const ends = await Promise.all(dumps.map(endOf));
      await release(misled, undo);
      assert.ok(error !== null || ends.some((code) => code !== 0), `a backup works with ${what}`);
      if (error !== null) assertSentence(error, bench.secrets);
    }
    await bench.assertReleased();
  },
  [secretly]: async (bench) => {
    await prepared(bench, async ({ dumps, host, undo }) => {
      for (const dump of dumps) await content(dump);
      const seen = JSON.stringify([host.commands, host.logged, undo]);
      for (const secret of bench.secrets) assert.ok(!seen.includes(secret), 'a secret can be seen');
    });
  },
  [restoring]: async (bench) => {
    const restore = offered(bench.source.restore?.bind(bench.source), 'restore');
    const assertRestored = offered(bench.assertRestored, 'assertRestored');
    await prepared(bench, async ({ dumps }) => {
      const [first] = dumps;
      assert.ok(first, 'there is no dump');
      const into = 'holdfast_restored';
      const run = (replace: boolean, bytes: Buffer) =>
        restore(bench.settings, stored(first, bytes), { into, replace }, contextOn(hostOfCase()));
      const bytes = await content(first);
      try {
        const { text } = await run(false, bytes);
        assert.ok(text.trim() !== '', 'it does not say what it restored');
        await assertRestored(into);
        await assert.rejects(run(false, bytes), 'it replaced what was there');
        await run(true, bytes);
        await assertRestored(into);
      } finally {
        await bench.removeRestored(into);
      }
    });
  },
  [trying]: async (bench) => {
    const prove = offered(bench.source.prove?.bind(bench.source), 'prove');
    const attempt = async (dump: Dump, bytes: Buffer) => {
      const folder = mkdtempSync(join(tmpdir(), 'holdfast-proof-'));
      try {
        return await prove(bench.settings, stored(dump, bytes), { ...contextOn(hostOfCase()), folder });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    };
    await prepared(bench, async ({ dumps }) => {
      for (const dump of dumps) {
        const bytes = await content(dump);
        const whole = await attempt(dump, bytes);
        assert.ok(whole.passed, whole.text);
        const half = await attempt(dump, bytes.subarray(0, bytes.length / 2)).catch(() => null);
        assert.ok(half?.passed !== true, 'half a dump was accepted');
      }
    });
    await bench.assertReleased();
  },
};

const stored = ({ name }: Dump, bytes: Buffer) => ({
  name,
  open: () => Readable.from([bytes]),
});

const failedOf = (findings: Awaited<ReturnType<Source['check']>>) =>
  findings.filter(({ status }) => status === 'failed').map(({ text }) => text);

async function endOf({ open }: Dump): Promise<number | null> {
  try {
    const { output, code } = await open(new AbortController().signal);
    await output.toArray();
    return await code;
  } catch {
    return -1;
  }
}

function assertSentence(error: unknown, secrets: readonly string[]): void {
  assert.ok(error instanceof Error && !(error instanceof Died));
  assert.match(error.message, /^[^\n]{10,}[.!]$/, 'the error is not a sentence');
  for (const secret of secrets) assert.ok(!error.message.includes(secret), 'a secret is in an error');
}

/**
 * Conformance cases for a source. They run one after another: all of them prepare the same data. Without `vanish`,
 * `failing` or `secrets`, those about them are left out.
 */
export const sourceSuite = ({ open, ...given }: SourceSuiteOptions): ConformanceCase[] => {
  const suite: Suite = {
    open,
    failing: {},
    secrets: [],
    assertReleased: async () => {},
    removeRestored: async () => {},
    without: [],
    ...given,
  };
  const applies: Record<string, boolean> = {
    [vanishing]: suite.vanish !== undefined,
    [wrong]: Object.keys(suite.failing).length > 0,
    [secretly]: suite.secrets.length > 0,
    [finding]: !suite.without.includes('find'),
    [restoring]: !suite.without.includes('restore'),
    [trying]: !suite.without.includes('prove'),
  };
  const chosen = Object.entries(checks).filter(([name]) => applies[name] !== false);
  return chosen.map(([name, check]) =>
    conformanceCase(name, async () => {
      const { source, close } = await suite.open();
      try {
        await check({ ...suite, source });
      } finally {
        await close();
      }
    }),
  );
};
