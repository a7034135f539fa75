import { expect, test } from 'vitest';
import { brokenIn, invariants } from './invariants.js';
import { faults } from './seeded-faults.js';
import { soundWorld } from './sound-world.js';
import { holdersIn } from './survey.js';
import type { World } from './world.js';

/** What a test sees that wrote nothing down. */
const partlyKnown = (): World => ({
  ...soundWorld(),
  writers: null,
  received: null,
  planned: null,
  wrongAnswers: null,
});
const takeNotes = [
  'every planned instant has a slot',
  'every slot was planned, and run',
  'every message that counts as delivered came',
  'no backup ran twice',
  'no repository had two writers',
  'no answer was wrong',
];

test('accepts a sound world', () => {
  expect(brokenIn(soundWorld())).toEqual([]);
});

test('reports missing facts, and can skip them', () => {
  expect(brokenIn(partlyKnown())).toEqual(
    takeNotes.map((name) => `${name}: nobody wrote down what it takes`),
  );
  expect(brokenIn(partlyKnown(), { partly: true })).toEqual([]);
});

const ofAll = faults.map((fault) => ['all is known', ...fault] as const);
const ofSome = faults
  .filter(([invariant]) => !takeNotes.includes(invariant))
  .map((fault) => ['nothing was written down', ...fault] as const);

test.each([...ofAll, ...ofSome])('finds, where %s, %s: %s', (known, invariant, _what, spoil) => {
  const partly = known !== 'all is known';
  const world = partly ? partlyKnown() : soundWorld();
  spoil(world);
  const found = brokenIn(world, { partly });
  expect(found.map((text) => text.split(': ')[0])).toEqual(found.map(() => invariant));
  expect(found).not.toEqual([]);
});

test('has a fault for each invariant', () => {
  const proved = new Set(faults.map(([invariant]) => invariant));
  expect(invariants.map(({ name }) => name).filter((name) => !proved.has(name))).toEqual([]);
});

test('tolerates an interrupted prune with unknown removals', () => {
  const world = soundWorld();
  const prune = world.jobs.find(({ kind }) => kind === 'prune') ?? {};
  Object.assign(prune, { status: 'failed', outcome: null });
  expect(brokenIn(world)).toEqual([]);
});

test('tolerates a missed slot without a recorded plan', () => {
  const world = partlyKnown();
  const missed = { planned_at: 4_000, outcome: 'missed', reason: 'Missed while Holdfast was down.' };
  world.slots.push({ id: 3, schedule_id: 1, ...missed });
  expect(brokenIn(world, { partly: true })).toEqual([]);
});

test('counts the places of jobs and of living readers, and no others', async () => {
  const now = 1_000_000;
  const holders = [
    { id: 'job:7', until: 1 },
    { id: 'read:lives', until: now + 20_000 },
    { id: 'read:expired', until: now - 1 },
    { id: 'read:before-the-clock-was-set-back', until: now + 86_400_000 },
  ];
  const lanes = { all: async <T>() => [{ repository_id: 1, holders: JSON.stringify(holders) }] as T[] };
  expect((await holdersIn(lanes, () => now)).map(({ holder }) => holder)).toEqual(['job:7', 'read:lives']);
});
