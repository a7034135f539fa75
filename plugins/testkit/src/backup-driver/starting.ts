import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { OperationOptions, ToolProcess } from '@holdfast/plugin-api/driver';
import type { ConformanceCase } from '../case.js';
import { allEntries, archiveInput, bytesOf, isRunning, rejectsWith, until } from './expect.js';
import { type BackupDriverHarness, type Scene, withRepository } from './harness.js';
import { makeSmallTree } from './trees.js';

/** How a process of the tool begins: only while the service agrees. */
export function startingCases(harness: BackupDriverHarness): ConformanceCase[] {
  return [
    beforeStartCanPreventStart(harness),
    beforeStartIsInTheSameTurn(harness),
    endsUnrecorded(harness),
    endsAborted(harness),
  ];
}

interface Operation {
  name: string;
  run(options: OperationOptions): Promise<unknown>;
}

/** One of each kind: writing, reading, streaming. They can run one after another. */
async function operations({ driver, target, folder }: Scene): Promise<Operation[]> {
  const source = await makeSmallTree(join(folder, 'source'));
  await driver.createArchive(target, archiveInput([source]));
  const path = join(source, 'file').slice(1);
  const archive = 'first';
  return [
    { name: 'open', run: (options) => driver.open(target, {}, options) },
    { name: 'createArchive', run: (o) => driver.createArchive(target, archiveInput([source], 'second'), o) },
    { name: 'listArchives', run: (options) => driver.listArchives(target, {}, options) },
    { name: 'archiveInfo', run: (options) => driver.archiveInfo(target, { archive }, options) },
    { name: 'listEntries', run: (options) => allEntries({ driver, target, archive, options }) },
    { name: 'readFile', run: (options) => bytesOf(driver.readFile(target, { archive, path }, options)) },
    { name: 'deleteArchives', run: (o) => driver.deleteArchives(target, { archives: [archive] }, o) },
    { name: 'compact', run: (options) => driver.compact(target, {}, options) },
  ];
}

const beforeStartCanPreventStart = (harness: BackupDriverHarness) =>
  withRepository(harness, 'beforeStart can prevent the start of the tool', async (scene) => {
    for (const { name, run } of await operations(scene)) {
      const abort = new AbortController();
      let processes = 0;
      const onProcess = () => {
        processes += 1;
      };
      await rejectsWith(
        run({ signal: abort.signal, beforeStart: () => abort.abort(), onProcess }),
        'cancelled',
      );
      assert.equal(processes, 0, `${name} started the tool`);
    }
    assert.deepEqual(await namesIn(scene), ['first']);
  });

const beforeStartIsInTheSameTurn = (harness: BackupDriverHarness) =>
  withRepository(harness, 'beforeStart is called in the same turn as each start', async (scene) => {
    for (const { name, run } of await operations(scene)) {
      let calls = 0;
      let processes = 0;
      const late: number[] = [];
      const beforeStart = () => {
        calls += 1;
        const before = childProcesses();
        setImmediate(() => {
          if (![...childProcesses()].some((pid) => !before.has(pid))) late.push(calls);
        });
      };
      const onProcess = async () => {
        processes += 1;
        await pause(20);
      };
      await run({ beforeStart, onProcess });
      assert.ok(processes > 0, `${name} reported no process`);
      assert.equal(calls, processes, `${name} called beforeStart ${calls} times for ${processes} processes`);
      assert.deepEqual(late, [], `${name} starts the tool in a later turn than its beforeStart`);
    }
  });

const endsUnrecorded = (harness: BackupDriverHarness) =>
  withRepository(harness, 'a tool whose process could not be recorded ends without having begun', (scene) =>
    endsWithoutBeginning({ ...scene, settleMs: harness.settleMs }, () => {
      throw new Error('not recorded');
    }),
  );

const endsAborted = (harness: BackupDriverHarness) =>
  withRepository(
    harness,
    'a tool that is aborted before it was recorded ends without having begun',
    (scene) => endsWithoutBeginning({ ...scene, settleMs: harness.settleMs }, (abort) => abort.abort()),
  );

/** All run in parallel: what does nothing disturbs nobody. */
async function endsWithoutBeginning(
  { settleMs = 1500, ...scene }: Scene & { settleMs: number | undefined },
  note: (abort: AbortController) => void,
): Promise<void> {
  const begun: string[] = [];
  const tools: ToolProcess[] = [];
  const attempt = async ({ name, run }: Operation) => {
    const abort = new AbortController();
    const onProcess = async (tool: ToolProcess) => {
      tools.push(tool);
      await pause(settleMs);
      if (!isRunning(tool.pid) || (await scene.driver.lockHolder(scene.target)) !== null) begun.push(name);
      note(abort);
    };
    const onProgress = () => void begun.push(name);
    const result = run({ signal: abort.signal, onProcess, onProgress });
    await result.then(
      () => begun.push(name),
      () => {},
    );
    await rejectsWith(result, abort.signal.aborted ? 'cancelled' : null);
  };
  const offered = await operations(scene);
  await Promise.all(offered.map(attempt));
  assert.deepEqual(begun, []);
  assert.equal(tools.length, offered.length);
  await until(() => !tools.some(({ pid }) => isRunning(pid)), 'the end of the tools');
  assert.deepEqual(await namesIn(scene), ['first']);
}

async function namesIn({ driver, target }: Scene): Promise<string[]> {
  return (await driver.listArchives(target, { checkpoints: true })).value.map(({ name }) => name);
}

/** The child processes of this process. */
function childProcesses(): Set<string> {
  const isChild = (pid: string) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === process.pid;
    } catch {
      return false; // It ended as it was looked at.
    }
  };
  return new Set(readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChild(name)));
}
