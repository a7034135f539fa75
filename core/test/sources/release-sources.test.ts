import { beforeEach, describe, expect, it } from 'vitest';
import { openJobJournal } from '../../src/backup/hooks/job-journal.js';
import { enter, makeScene } from '../hooks/hook-scene.js';
import { makeSourceScene } from './source-scene.js';

let scene: ReturnType<typeof makeSourceScene>;
beforeEach(async () => {
  scene = makeSourceScene();
  for (const name of ['one', 'two', 'three'])
    scene.behaviour[name] = {
      async prepare({ record }) {
        await record({ held: name });
        return {};
      },
    };
  await scene.prepare('one', 'two', 'three', 'nothing');
  scene.took();
});

/** Fails the first times. */
const stubborn = (times: number) => {
  let left = times;
  return async () => {
    left -= 1;
    if (left >= 0) throw new Error('The engine does not answer');
  };
};

describe('releasing sources', () => {
  it('releases the last one first, and each once', async () => {
    expect(await scene.release('one', 'two', 'three', 'nothing')).toEqual([]);
    expect(scene.took()).toEqual([
      'nothing released',
      ...['three', 'two', 'one'].flatMap((name) => [`${name} release`, `${name} released`]),
    ]);
    expect(scene.stateOf('one')).toMatchObject({ undo: null, released: expect.any(Number) });
    expect(await scene.release('one', 'two', 'three', 'nothing')).toEqual([]);
    expect(scene.took()).toEqual([]);
  });

  it('tries again twice', async () => {
    scene.behaviour.two = { release: stubborn(2) };
    expect(await scene.release('one', 'two', 'three')).toEqual([]);
    expect(scene.took()).toEqual([
      'three release',
      'three released',
      'two release',
      'two release',
      'two release',
      'two released',
      'one release',
      'one released',
    ]);
  });

  it('releases the others when one stays, and keeps it for later', async () => {
    scene.behaviour.two = { release: stubborn(3) };
    const [problem, ...others] = await scene.release('one', 'two', 'three');
    expect(others).toEqual([]);
    expect(problem?.text).toBe('two could not be released, and is tried again: The engine does not answer.');
    expect(scene.logged).toEqual([problem?.text]);
    expect(scene.stateOf('two')).toMatchObject({ undo: { held: 'two' }, released: null });
    expect(scene.stateOf('one')?.released).not.toBeNull();
    expect(await scene.release('one', 'two', 'three')).toEqual([]);
    expect(scene.stateOf('two')?.released).not.toBeNull();
  });

  it('hides the secrets of a source that stays', async () => {
    scene.behaviour.two = { release: () => Promise.reject(new Error('sesame-4711 was refused')) };
    const [problem] = await scene.release('one', 'two', 'three');
    expect(`${problem?.text} ${scene.logged}`).not.toContain('sesame');
  });

  it('stops when another process takes over', async () => {
    scene.behaviour.three = {
      async release() {
        scene.stop.abort(new Error('lost'));
      },
    };
    await expect(scene.release('one', 'two', 'three')).rejects.toThrow('lost');
    expect(scene.took()).toEqual(['three release', 'three released']);
  });
});

describe('the journal of a job', () => {
  it('keeps the order of its sources when one is written again', async () => {
    const { addJob, addRepository, needs } = makeScene();
    const repository = await addRepository('photos');
    const { context } = enter(await addJob(repository), repository);
    const plan = { pre: [], post: [], environment: {}, continueOnFailure: false };
    const { sources } = await openJobJournal(needs, context, plan);
    const [one, two] = scene.journal.states();
    for (const state of [one, two, one]) if (state) await sources.write(state);
    expect(sources.states().map(({ name }) => name)).toEqual(['one', 'two']);
  });
});
