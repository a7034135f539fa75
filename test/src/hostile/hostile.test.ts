import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDeep } from '../lane.js';
import { TestSshd } from '../services/sshd.js';
import type { HostileCase } from './cases.js';
import { Scene } from './scene.js';

const seed = Number(process.env.HOSTILE_SEED ?? 1);
const count = Number(process.env.HOSTILE_COUNT ?? (isDeep ? 40 : 10));
const perRepository = 40;
const say = (line: string) => process.stdout.write(`hostile: ${line}\n`);

let sshd: TestSshd;
let scenes: Scene[] = [];

beforeAll(async () => {
  sshd = await TestSshd.start();
  scenes = await Promise.all([Scene.start('root', sshd, false), Scene.start('nobody', sshd, true)]);
});
afterAll(async () => {
  await Promise.all(scenes.map((scene) => scene.remove()));
  await sshd?.remove();
});

test('changes nothing outside the restore destination for any archive', {
  timeout: 120_000 + count * 20_000,
}, async () => {
  say(`seed ${seed}, ${count} archives; the same again: npm run hostile -- --seed ${seed} --count ${count}`);
  const outcomes = { refused: 0, restored: 0, failed: 0 };
  const findings: string[] = [];
  const share = async (scene: Scene, index: number) => {
    const own = Math.floor(count / scenes.length) + (index < count % scenes.length ? 1 : 0);
    const cases = scene.cases(seed + index, own);
    for (let from = 0; from < own; from += perRepository) {
      await scene.run(cases.slice(from, from + perRepository), (each, outcome, faults) => {
        outcomes[outcome] += 1;
        if (faults.length > 0) findings.push(told(scene, each, faults));
      });
      if (count > perRepository) say(`${JSON.stringify(outcomes)}, ${findings.length} findings`);
    }
  };
  await Promise.all(scenes.map(share));
  const { refused, restored, failed } = outcomes;
  say(`seed ${seed}, ${count} archives: ${refused} refused, ${restored} restored, ${failed} failed`);
  say(findings.length === 0 ? 'nothing changed outside' : `${findings.length} archives did harm`);
  expect(findings.join('\n\n')).toBe('');
  expect(refused).toBeGreaterThan(count / 4);
  expect(restored).toBeGreaterThan(count / 10);
});

test('refuses to download a damaged file under any of its names', async () => {
  const [scene] = scenes;
  const answers = await scene?.downloads();
  expect(answers?.map(({ status }) => status)).toEqual([409, 409, 200]);
  expect(answers?.[1]?.text).toContain('h is damaged in this archive');
});

const told = ({ name }: Scene, each: HostileCase, faults: string[]): string =>
  `${name}: ${faults.slice(0, 5).join('\n')}\n${JSON.stringify(each).slice(0, 1500)}`;
