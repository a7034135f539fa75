import { planRetention, type RetentionRules } from '@holdfast/core/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isDeep } from '../lane.js';
import { makeWorkspace } from '../workspace.js';
import { Borg, type ListedArchive } from './borg.js';
import { randomNumbers } from './random.js';

/*
 * Our retention against `borg prune --dry-run --list`. One repository holds 62 real archives, or half of them at
 * each change, each named by one letter or digit, so that a character class selects any subset: each history is a random
 * subset with random rules.
 */
const histories = Number(process.env.HOLDFAST_RETENTION_HISTORIES ?? (isDeep ? 200 : 20));
const seed = Number(process.env.HOLDFAST_SEED ?? 1);
const binary14 = process.env.HOLDFAST_BORG_14;

const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const letters = alphabet.filter((_, n) => isDeep || n % 2 === 0);
const workspace = makeWorkspace();
const hour = 3_600_000;
const day = 24 * hour;

/** Newest first, from near to far: as in life, and across New Year, leap day and ISO week 53. */
function instants(random: () => number): number[] {
  const end = Date.UTC(2027, 0, 5, 3);
  const spread = [() => hour / 4, () => 3 * hour, () => day, () => 8 * day, () => 40 * day, () => 90 * day];
  let at = end;
  return letters.map((_, index) => {
    const group = Math.floor((index * spread.length) / letters.length);
    // Every tenth began in the same second as the one before it.
    if (index % 10 !== 9) at -= Math.max(1000, 2 * random() * (spread[group]?.() ?? day));
    return Math.floor(at / 1000) * 1000;
  });
}

let original: Borg;
let archives: ListedArchive[];

beforeAll(async () => {
  original = new Borg(`${workspace.path}/repository`, workspace.folder('base'));
  await original.run('init', '--encryption=none', original.repository);
  const times = instants(randomNumbers(seed));
  const dated = letters.map((letter, index) => ({ name: `h-${letter}`, at: times[index] ?? 0 }));
  await original.createMany(dated, '/etc/hostname');
  archives = await original.list();
  expect(archives).toHaveLength(letters.length);
});
afterAll(() => workspace.remove());

const ruleFlags = {
  hourly: '--keep-hourly',
  daily: '--keep-daily',
  weekly: '--keep-weekly',
  monthly: '--keep-monthly',
  quarterly: '--keep-3monthly',
  yearly: '--keep-yearly',
} as const;
type Rule = keyof typeof ruleFlags;

interface History {
  names: Set<string>;
  rules: RetentionRules;
}

function randomHistory(random: () => number, rules: readonly Rule[], always: Rule): History {
  const share = random() ** 2;
  const names = letters.filter(() => random() < 1 - share).map((letter) => `h-${letter}`);
  const chosen = rules.filter((rule) => rule === always || random() < 0.5);
  // One in six without a limit.
  const counts = chosen.map((rule) => [rule, random() < 1 / 6 ? -1 : 1 + Math.floor(random() ** 2 * 15)]);
  return { names: new Set(names), rules: Object.fromEntries(counts) };
}

function flagsOf({ names, rules }: History): string[] {
  const glob = names.size === 0 ? 'none' : `h-[${[...names].map((name) => name.slice(2)).join('')}]`;
  const keeps = Object.entries(rules).map(([rule, count]) => `${ruleFlags[rule as Rule]}=${count}`);
  return [...keeps, `--glob-archives=${glob}`];
}

/** What both decide, as `name: rule` or `name: removed`, by name. */
async function compare(borg: Borg, history: History) {
  const members = archives.filter(({ name }) => history.names.has(name));
  const plan = planRetention(members, history.rules);
  const ours = [
    ...plan.kept.map(({ archive, reason }) => `${archive.name}: ${reason}`),
    ...plan.removed.map(({ name }) => `${name}: removed`),
  ];
  const decided = await borg.prunePlan(...flagsOf(history));
  const theirs = decided.map(
    ({ name, rule }) => `${name}: ${rule?.replace('quarterly_3monthly', 'quarterly') ?? 'removed'}`,
  );
  return { ours: ours.toSorted(), theirs: theirs.toSorted() };
}

/** Two at a time, each on a copy of its own: even a dry run locks the repository. */
async function compareAll(
  { binary, count }: { binary?: string; count: number },
  draw: (random: () => number) => History,
): Promise<number> {
  const random = randomNumbers(seed + 1);
  const drawn = Array.from({ length: count }, () => draw(random));
  const differing: unknown[] = [];
  let kept = 0;
  const work = async (borg: Borg) => {
    for (let history = drawn.pop(); history && differing.length === 0; history = drawn.pop()) {
      const { ours, theirs } = await compare(borg, history);
      const same = ours.join() === theirs.join() && theirs.length === history.names.size;
      if (!same) differing.push({ seed, flags: flagsOf(history), ours, theirs });
      kept += theirs.filter((line) => !line.endsWith('removed')).length;
    }
  };
  const places = [1, 2].map((place) =>
    original.copy(workspace.folder(`${binary ? 'quarterly' : 'other'}-${place}`), binary),
  );
  await Promise.all(places.map(work));
  expect(differing).toEqual([]);
  return kept;
}

const shared = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const;

describe(`over ${histories} random histories (half as many with quarters) the retention decides as`, () => {
  test('agrees with the borg on the path on every rule but the quarterly one', async () => {
    const kept = await compareAll({ count: histories }, (random) => {
      const always = shared[Math.floor(random() * shared.length)] ?? 'daily';
      return randomHistory(random, shared, always);
    });
    expect(kept).toBeGreaterThan(histories);
  });

  // Built for the long lane only.
  if (isDeep)
    test('agrees with the borg in HOLDFAST_BORG_14 on the quarterly rule', async () => {
      const rules = ['hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
      const count = Math.ceil(histories / 2);
      const draw = (random: () => number) => randomHistory(random, rules, 'quarterly');
      expect(await compareAll({ binary: binary14, count }, draw)).toBeGreaterThan(count);
    });
});
