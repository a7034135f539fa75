import type { PublishedStates, RepositoryState, StatePublisher } from '@holdfast/plugin-api';
import { statesSuite } from '@holdfast/testkit';
import { describe, expect, it } from 'vitest';

interface Board {
  text: string | null;
  shown: Map<number, RepositoryState>;
}
type Publish = (board: Board, states: PublishedStates) => void | Promise<void>;

const shortName = (name: string, id: number) =>
  name
    .slice(0, 200)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim() || `Repository ${id}`;
const show = (board: Board, states: PublishedStates, nameOf = shortName) => {
  board.text = states.text;
  for (const one of states.repositories) board.shown.set(one.id, { ...one, name: nameOf(one.name, one.id) });
};
const sound: Publish = (board, states) => {
  board.shown.clear();
  show(board, states);
};

/** Names of the broken promises. */
async function brokenBy(publish: Publish, { health = async () => null as string | null } = {}) {
  const board: Board = { text: null, shown: new Map() };
  const open = async () => {
    const publisher: StatePublisher & { health(): Promise<string | null> } = {
      publish: async (states) => publish(board, states),
      health,
    };
    return { publisher, close: async () => undefined };
  };
  const shown = async () => ({ text: board.text, repositories: [...board.shown.values()] });
  const broken: string[] = [];
  for (const { name, run } of statesSuite({ open, shown, lateness: 100 }))
    await run({ skip: () => undefined }).catch(() => broken.push(name));
  return broken;
}

const all = 'shows all states';
const replaces = 'replaces states, and removes repositories';
const names = 'shows repositories whatever their names';
const down = 'does not wait for a receiver that is down';

describe('the suite for states', () => {
  it('passes a sound publisher', async () => {
    expect(await brokenBy(sound)).toEqual([]);
  });

  it('skips cases about the receiver when it cannot look there', async () => {
    const open = async () => ({ publisher: { publish: async () => {} }, close: async () => {} });
    const skipped: string[] = [];
    const suite = statesSuite({ open });
    for (const { name, run } of suite) await run({ skip: () => void skipped.push(name) });
    expect(skipped).toContain(all);
    expect(suite.length - skipped.length).toBe(2);
  });

  it.each<[string, Publish, string]>([
    ['shows nothing', () => {}, all],
    ['never removes a repository', (board, states) => show(board, states), replaces],
    [
      'shows names in full',
      (board, states) => {
        board.shown.clear();
        show(board, states, (name) => name);
      },
      names,
    ],
    [
      'shows one of several states late',
      (board, states) => {
        if (states.repositories[0]?.id === 50) return;
        sound(board, states);
      },
      'shows the latest of many states at once',
    ],
  ])('finds a publisher that %s', async (_what, publish, broken) => {
    expect(await brokenBy(publish)).toContain(broken);
  });

  it('finds a publisher that waits for its receiver', async () => {
    const publisher = { publish: () => new Promise<void>(() => {}) };
    const suite = statesSuite({ open: async () => ({ publisher, close: async () => {} }) });
    await expect(suite.find(({ name }) => name === down)?.run()).rejects.toThrow('publish did not settle');
  });

  it('finds a publisher whose health is not a sentence', async () => {
    expect(await brokenBy(sound, { health: async () => 'ECONNREFUSED' })).toEqual([down]);
  });
});
