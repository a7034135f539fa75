import { DriverError } from '@holdfast/plugin-api/driver';
import { beforeEach, describe, expect, it } from 'vitest';
import { repositoryScripts, scriptRuns } from '../../src/backup/hooks/tables.js';
import type { ScriptOrder } from '../../src/foundation/ports/script-runner.js';
import { said } from '../fakes/said.js';
import { failing, makeScene, type Scene, scripted } from './hook-scene.js';

let scene: Scene;
beforeEach(() => {
  scene = makeScene();
});

const inline = { pre_backup_script: 'before', post_backup_script: 'after' };

async function begin(settings: object = inline, more: object = {}) {
  const repository = await scene.addRepository('home', settings);
  const job = await scene.addJob(repository, more);
  return { repository, job, ...scene.enter(job, repository) };
}

describe('hooks of a repository', () => {
  it('are around the backup and leave nothing owed', async () => {
    const { context } = await begin();
    expect(await scene.hooks.run(context)).toEqual({ status: 'completed' });
    expect(scene.ran).toEqual(['before', 'backup', 'after']);
    expect(scene.orders.map(({ environment }) => environment.BK_UI_BACKUP_STATUS)).toEqual([
      undefined,
      'success',
    ]);
    expect(await scene.journals()).toMatchObject([{ stage: 'closed', plan: '', process: null }]);
  });

  it('write no journal without hooks', async () => {
    const { context } = await begin({});
    await scene.hooks.run(context);
    expect([scene.ran, await scene.journals()]).toEqual([['backup'], []]);
  });

  it('are left out in the runs of a schedule that does not want them', async () => {
    const { context } = await begin(inline, { parameters: scripted(null, null) });
    await scene.hooks.run(context);
    expect(scene.ran).toEqual(['backup']);
  });

  it('run after the backup as configured before it', async () => {
    const { context, repository } = await begin({});
    const script = await scene.addScript('attached');
    const attached = await scene.attach(repository, script.id, { hook_type: 'post-backup' });
    scene.toolDoes(async () => {
      await scene.storage.remove(repositoryScripts, { id: attached.id });
      return { status: 'completed_with_warnings' };
    });
    await scene.hooks.run(context);
    expect(scene.ran).toEqual(['backup', 'attached']);
    expect(await scene.storage.find(scriptRuns)).toMatchObject([
      { script_id: script.id, status: 'completed' },
    ]);
  });

  it.each([
    ['success', 'completed'],
    ['warning', 'completed_with_warnings'],
    ['failure', 'failed'],
  ] as const)('configured for %s run after no other result', async (condition, status) => {
    const { context, repository } = await begin({});
    for (const each of ['success', 'warning', 'failure'] as const) {
      const { id } = await scene.addScript(each);
      await scene.attach(repository, id, { hook_type: 'post-backup', custom_run_on: each });
    }
    scene.toolDoes(async () => ({ status }));
    await scene.hooks.run(context);
    expect(scene.ran).toEqual(['backup', condition]);
  });

  it('let the backup end with a warning when one that may fail does', async () => {
    const { context, repository } = await begin({});
    const { id } = await scene.addScript('ping');
    for (const hook_type of ['pre-backup', 'post-backup'] as const)
      await scene.attach(repository, id, { hook_type, continue_on_error: true });
    scene.behaviour.ping = () => failing(7);
    const result = await scene.hooks.run(context);
    expect(scene.ran).toEqual(['ping', 'backup', 'ping']);
    expect([result.status, String(result.error)]).toEqual([
      'completed_with_warnings',
      expect.stringMatching(/pre-backup hook .*exit code 7.*post-backup hook .*exit code 7/),
    ]);
  });

  it('run after a failed tool and add their own failure to its error', async () => {
    const { context } = await begin();
    scene.toolDoes(async () => Promise.reject(new DriverError('no_space', 'The disk is full.')));
    scene.behaviour.after = () => failing(3);
    await expect(scene.hooks.run(context)).rejects.toThrow(/The disk is full\. .*failed with exit code 3/);
    expect(scene.orders[1]?.environment.BK_UI_BACKUP_STATUS).toBe('failure');
  });

  it('run after a cancellation, but not those before', async () => {
    const { context, cancel } = await begin();
    scene.behaviour.before = () => {
      cancel();
      return { ...failing(-1), end: 'aborted' };
    };
    await expect(scene.hooks.run(context)).rejects.toThrow('cancelled');
    expect(scene.ran).toEqual(['before', 'after']);
  });
});

describe('a hook that ends with exit code 75', () => {
  const line = (order: ScriptOrder, text: string) => order.onLine?.({ stream: 'stdout', text });

  it('postpones the backup with its last line, also when it may fail', async () => {
    const { context, repository } = await begin({
      post_backup_script: 'after',
      continue_on_hook_failure: true,
    });
    for (const name of ['look', 'dump']) {
      const { id } = await scene.addScript(name);
      await scene.attach(repository, id, { hook_type: 'pre-backup', continue_on_error: true });
    }
    scene.behaviour.look = (order) => {
      line(order, 'looking');
      line(order, `disk\u001b away ${'.'.repeat(400)}`);
      line(order, ' ');
      return failing(75);
    };
    const { status, error } = await scene.hooks.run(context);
    expect([status, error?.code]).toEqual(['cancelled', 'hook_postponed']);
    expect(error?.text).toMatch(/^The pre-backup hook "look" postponed the backup: disk\\x1b away \.+$/);
    expect(error?.text.length).toBeLessThan(400);
    expect(scene.ran).toEqual(['look', 'after']);
    expect(scene.orders[1]?.environment.BK_UI_BACKUP_STATUS).toBe('failure');
    expect(await scene.journals()).toMatchObject([{ stage: 'closed' }]);
  });

  it('hides no failure of an earlier one', async () => {
    const { context, repository } = await begin({});
    for (const name of ['broken', 'look']) {
      const { id } = await scene.addScript(name);
      await scene.attach(repository, id, { hook_type: 'pre-backup', continue_on_error: false });
    }
    scene.behaviour.broken = () => failing(1);
    scene.behaviour.look = () => failing(75);
    expect((await scene.hooks.run(context)).status).toBe('failed');
  });

  it('is a failure after the backup', async () => {
    const { context } = await begin();
    scene.behaviour.after = () => failing(75);
    expect((await scene.hooks.run(context)).status).toBe('failed');
  });

  it('keeps its word when the service vanishes after it', async () => {
    const begun = await begin();
    scene.behaviour.before = () => failing(75);
    scene.behaviour.after = () => new Promise(() => {});
    void scene.hooks.run(begun.context).catch(() => undefined);
    await expect.poll(() => scene.ran).toEqual(['before', 'after']);
    delete scene.behaviour.after;
    const { context } = scene.enter(await scene.again(begun.job), begun.repository);
    expect(await scene.hooks.recover(context)).toMatchObject({
      status: 'cancelled',
      error: { code: 'hook_postponed', params: { line: 'exit code 75' } },
    });
    expect(scene.ran).toEqual(['before', 'after', 'after']);
  });
});

describe('hooks whose service vanished', () => {
  /** A run that is cut off in the script of that text. */
  async function cutOffIn(text: string, begun: Awaited<ReturnType<typeof begin>>) {
    const reached = new Promise<void>((resolve) => {
      scene.behaviour[text] = () => {
        delete scene.behaviour[text];
        resolve();
        return new Promise(() => {});
      };
    });
    void scene.hooks.run(begun.context).catch(() => undefined);
    await reached;
    const job = await scene.again(begun.job);
    return { job, ...scene.enter(job, begun.repository) };
  }

  it('end running hooks, skip those before and run those after once', async () => {
    const begun = await begin();
    const { context } = await cutOffIn('before', begun);
    scene.toolDoes(async () => ({ status: 'failed', error: said('Interrupted.') }));
    expect(await scene.hooks.recover(context)).toMatchObject({ status: 'failed' });
    expect(scene.ended).toHaveLength(1);
    expect(scene.ran).toEqual(['before', 'backup', 'after']);
    await scene.hooks.recover(scene.enter(await scene.again(context.job), begun.repository).context);
    expect(scene.ran.filter((text) => text === 'after')).toHaveLength(1);
  });

  it('continue after the backup with the same variables', async () => {
    const begun = await begin({});
    for (const name of ['first', 'second', 'third']) {
      const { id } = await scene.addScript(name);
      await scene.attach(begun.repository, id, { hook_type: 'post-backup' });
    }
    const { context } = await cutOffIn('second', begun);
    scene.toolDoes(async () => ({ status: 'failed', error: said('The repository is away.') }));
    await scene.hooks.recover(context);
    expect(scene.ran).toEqual(['backup', 'first', 'second', 'backup', 'second', 'third']);
    expect(scene.orders.map(({ environment }) => environment.BK_UI_BACKUP_STATUS)).toEqual(
      Array.from({ length: 4 }, () => 'success'),
    );
    const runs = await scene.storage.find(scriptRuns);
    expect(runs.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed', 'completed']);
  });

  it('stop running again after repeated interruptions', async () => {
    const begun = await begin({ post_backup_script: 'reboot' });
    const second = await cutOffIn('reboot', begun);
    scene.behaviour.reboot = () => new Promise(() => {});
    void scene.hooks.recover(second.context).catch(() => undefined);
    await expect.poll(() => scene.ran.filter((text) => text === 'reboot').length).toBe(2);
    const third = scene.enter(await scene.again(second.job), begun.repository);
    expect(await scene.hooks.recover(third.context)).toMatchObject({
      status: 'failed',
      error: { text: expect.stringContaining('was interrupted 2 times') },
    });
    expect(scene.ran.filter((text) => text === 'reboot')).toHaveLength(2);
  });

  it('run if a cancelled job is recovered without an archive', async () => {
    const { context } = await cutOffIn('before', await begin());
    scene.toolDoes(async () => ({ status: 'failed', error: said('There is no archive.') }));
    await scene.hooks.recover(context);
    expect(scene.ran).toEqual(['before', 'backup', 'after']);
  });

  it('remember failures that were not reported yet', async () => {
    const begun = await begin();
    scene.behaviour.after = () => failing(5);
    expect(await scene.hooks.run(begun.context)).toMatchObject({ status: 'failed' });
    const again = scene.enter(await scene.again(begun.job), begun.repository);
    expect(await scene.hooks.recover(again.context)).toMatchObject({
      status: 'failed',
      error: { text: expect.stringContaining('exit code 5') },
    });
    expect(scene.ran.filter((text) => text === 'after')).toHaveLength(1);
  });
});

it('start no hook after another run took the job', async () => {
  const { context, job, repository } = await begin();
  let wake = () => {};
  const asleep = new Promise<void>((resolve) => {
    wake = resolve;
  });
  scene.toolDoes(async () => {
    await asleep;
    return { status: 'completed' };
  });
  const sleeping = scene.hooks.run(context);
  await expect.poll(() => scene.ran.length).toBe(2);
  const other = scene.enter(await scene.again(job), repository);
  scene.toolDoes(async () => ({ status: 'failed' }));
  await scene.hooks.recover(other.context);
  wake();
  await expect(sleeping).rejects.toThrow('no longer belongs');
  expect(scene.ran).toEqual(['before', 'backup', 'backup', 'after']);
});
