import { sourceSuite } from '@holdfast/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PodmanEngine } from '../../../scripts/services/podman.mjs';
import plugin from '../src/index.js';

let engine: PodmanEngine;
const run = (name: string, ...options: string[]) =>
  engine.container(name, { options, command: ['sh', '-c', 'trap "exit 0" TERM; sleep 1000 & wait'] });
const stateOf = (name: string) => engine.podman('inspect', '--format', '{{.State.Status}}', name);

beforeAll(async () => {
  engine = await PodmanEngine.start();
  run('app', '-v', 'shop:/data');
  run('worker');
  run('labelled', '--label', 'holdfast.stop=true');
  run('other', '--label', 'holdfast.stop=false', '--label', 'names=app');
});
afterAll(() => engine?.remove());

const open = async () => {
  const context = { configuration: { socket: engine.socket } } as never;
  return { source: await plugin.create(context), close: async () => {} };
};

describe('the source suite', () => {
  const cases = sourceSuite({
    open,
    without: ['restore', 'prove'],
    settings: {
      stop: 'app',
      pause: 'worker',
      stop_labels: 'holdfast.stop=true',
      volumes: 'app:/data',
      exclude: 'app:/data/cache',
    },
    failing: {
      'a container that does not exist': { stop: 'none' },
      'a volume that does not exist': { volumes: 'app:/none' },
      'nothing to do': {},
    },
    async assertReleased() {
      for (const name of ['app', 'worker', 'labelled', 'other']) expect(stateOf(name), name).toBe('running');
    },
    async vanish() {
      engine.podman('rm', '--force', '--time=0', 'worker');
      return async () => void run('worker');
    },
  });
  for (const { name, run: check } of cases) test(name, check);
});
