import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { PluginInstance, PublishedStates, RepositoryState, StatePublisher } from '@holdfast/plugin-api';
import { type ConformanceCase, conformanceCase, offered } from './case.js';

export interface OpenStates {
  /** Started. */
  publisher: PluginInstance<StatePublisher>;
  /** Stops it; the receiver keeps what it was sent. */
  close(): Promise<void>;
}

export interface StatesSuiteOptions {
  open(): Promise<OpenStates>;
  /** What the receiver shows now: the sentence, and the repositories with their names as shown. */
  shown?(): Promise<{ text: string | null; repositories: readonly RepositoryState[] }>;
  /** A publisher whose receiver is down. Default: `open`. */
  openWithoutReceiver?(): Promise<OpenStates>;
  /** How soon the receiver shows states, in milliseconds. Default: 10,000. */
  lateness?: number;
}

const soonMs = 2_000;
const repository = (id: number, more: Partial<RepositoryState> = {}): RepositoryState => ({
  id,
  name: `Repository ${id}`,
  protected: true,
  late: false,
  damaged: false,
  newestArchive: '2026-03-01T02:00:00.000Z',
  lastVerifiedRestore: null,
  ...more,
});
const late = { protected: false, late: true, damaged: true, lastVerifiedRestore: '2026-02-01T00:00:00.000Z' };
const statesOf = (...repositories: RepositoryState[]): PublishedStates => ({
  protected: repositories.every((each) => each.protected),
  state: 'protected',
  text: `Protected: ${repositories.length} repositories.`,
  repositories,
});
const hostile = [
  'two\nlines\r\0and\u001b[31m control',
  'ü'.repeat(10_000),
  '{{ 1 + 1 }} <b>"\'\\/#+$',
  '\u202eright to left',
  '\ud800',
  ' ',
  '👩‍👩‍👧',
];

type Check = (publisher: OpenStates['publisher'], options: StatesSuiteOptions) => Promise<void>;

const checks: Record<string, Check> = {
  'shows all states': async (publisher, options) => {
    await publisher.publish(statesOf(repository(1), repository(2, late)));
    await shows(options, statesOf(repository(1), repository(2, late)));
  },
  'replaces states, and removes repositories': async (publisher, options) => {
    await publisher.publish(statesOf(repository(1), repository(2), repository(31)));
    await publisher.publish(statesOf(repository(1, late), repository(3, { newestArchive: null })));
    await shows(options, statesOf(repository(1, late), repository(3, { newestArchive: null })));
    await publisher.publish(statesOf());
    await shows(options, statesOf());
  },
  'shows the latest of many states at once': async (publisher, options) => {
    const ids = Array.from({ length: 50 }, (_, n) => n + 1);
    await Promise.all(ids.map((id) => publisher.publish(statesOf(repository(id)))));
    await shows(options, statesOf(repository(50)));
  },
  'shows many repositories': async (publisher, options) => {
    const many = statesOf(...Array.from({ length: 500 }, (_, n) => repository(n + 1)));
    await publisher.publish(many);
    await shows(options, many);
  },
  'shows repositories whatever their names': async (publisher, options) => {
    const all = statesOf(...hostile.map((name, n) => repository(n + 1, { name })));
    await publisher.publish(all);
    await shows(options, all);
    for (const { name } of (await options.shown?.())?.repositories ?? []) {
      assert.match(name, /^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*[^\s\p{Cc}][^\p{Cc}]*$/u);
      assert.ok(name.length <= 256, `a name of ${name.length} characters is not cut`);
    }
  },
  'removes repositories that an earlier process showed': async (publisher, options) => {
    offered(options.shown, 'shown');
    const earlier = await options.open();
    await earlier.publisher.publish(statesOf(repository(1), repository(2)));
    await shows(options, statesOf(repository(1), repository(2)));
    await earlier.close();
    await publisher.publish(statesOf(repository(2)));
    await shows(options, statesOf(repository(2)));
  },
  'shows the same with a second instance, also after that ended': async (publisher, options) => {
    offered(options.shown, 'shown');
    await publisher.publish(statesOf(repository(1)));
    const other = await options.open();
    await other.publisher.publish(statesOf(repository(1)));
    await publisher.publish(statesOf(repository(1), repository(2)));
    await pause(200);
    await other.publisher.publish(statesOf(repository(1), repository(2)));
    await shows(options, statesOf(repository(1), repository(2)));
    await other.close();
    await shows(options, statesOf(repository(1), repository(2)));
  },
};

/** Requirements of `StatePublisher`. Without `shown`, cases about the receiver are skipped. */
export function statesSuite(options: StatesSuiteOptions): ConformanceCase[] {
  const cases = Object.entries(checks).map(([name, check]) =>
    conformanceCase(name, async () => {
      const { publisher, close } = await options.open();
      try {
        await check(publisher, options);
      } finally {
        await close();
      }
    }),
  );
  const open = options.openWithoutReceiver ?? options.open;
  return [
    ...cases,
    conformanceCase('does not wait for a receiver that is down', async () => {
      const { publisher, close } = await open();
      try {
        for (const id of [1, 2, 3]) await soon(publisher.publish(statesOf(repository(id))), 'publish');
        await pause(300);
        const health = await soon(publisher.health?.() ?? Promise.resolve(null), 'health');
        assert.ok(health === null || /^\S.*\.$/.test(health), `health is not a sentence: ${health}`);
        if (options.openWithoutReceiver && publisher.health) assert.notEqual(health, null);
      } finally {
        await close();
      }
    }),
    conformanceCase('settles a call after its end', async () => {
      const { publisher, close } = await options.open();
      await publisher.publish(statesOf(repository(1)));
      await close();
      await soon(
        publisher.publish(statesOf(repository(2))).catch(() => {}),
        'publish',
      );
    }),
  ];
}

async function shows(
  { shown, lateness = 10_000 }: StatesSuiteOptions,
  states: PublishedStates,
): Promise<void> {
  const read = offered(shown, 'shown');
  const byId = (all: readonly RepositoryState[]) =>
    all.map(({ name: _, ...state }) => state).toSorted((a, b) => a.id - b.id);
  const expected = { text: states.text, repositories: byId(states.repositories) };
  const until = performance.now() + lateness;
  for (;;) {
    const now = await read();
    const actual = { text: now.text, repositories: byId(now.repositories) };
    if (isDeepStrictEqual(actual, expected)) return;
    if (performance.now() > until) assert.deepEqual(actual, expected);
    await pause(50);
  }
}

async function soon<T>(work: Promise<T>, what: string): Promise<T> {
  const late = pause(soonMs, undefined, { ref: false }).then(() => {
    throw new assert.AssertionError({ message: `${what} did not settle within ${soonMs} ms` });
  });
  return Promise.race([work, late]);
}
