import { beforeEach, describe, expect, it } from 'vitest';
import { makeSourceScene } from './source-scene.js';

let scene: ReturnType<typeof makeSourceScene>;
const names = ['one', 'two', 'three', 'nothing'];
beforeEach(async () => {
  scene = makeSourceScene();
  for (const name of ['one', 'two', 'three'])
    scene.behaviour[name] = {
      async prepare({ record }) {
        await record({ held: name });
        if (name === 'three') throw new Error('No space is left');
        return {};
      },
    };
  await scene.prepare(...names);
  scene.took();
});

describe('verifying sources', () => {
  it('asks those that are prepared, and keeps them as they are', async () => {
    await scene.verify(...names);
    expect(scene.took()).toEqual(['one verify', 'two verify']);
    expect(scene.failureOf('one')).toBeNull();
    await scene.release('one');
    scene.took();
    await scene.verify(...names);
    expect(scene.took()).toEqual(['two verify']);
  });

  it('records the one that did not stay whole, without its secrets', async () => {
    scene.behaviour.one = { verify: () => Promise.reject(new Error('The snapshot sesame-4711 was full')) };
    await scene.verify(...names);
    expect(scene.took()).toEqual(['one verify', 'one failed', 'two verify']);
    expect(scene.failureOf('one')).toMatch(/^The snapshot .* was full\.$/);
    expect(scene.failureOf('one')).not.toContain('sesame');
    expect(scene.stateOf('one')).toMatchObject({ undo: { held: 'one' }, released: null });
  });

  it('stops when another process takes over', async () => {
    scene.behaviour.one = {
      async verify() {
        scene.stop.abort(new Error('lost'));
        throw new Error('The connection broke');
      },
    };
    await expect(scene.verify(...names)).rejects.toThrow();
    expect(scene.failureOf('one')).toBeNull();
  });
});
