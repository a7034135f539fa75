import type { StorageSession } from '@holdfast/plugin-api';
import { DriverError } from '@holdfast/plugin-api/driver';
import { describe, expect, it } from 'vitest';
import type { Dependencies } from '../../src/app/app.js';
import { changePassphrase, passphraseHandler } from '../../src/backup/maintenance/change-passphrase.js';
import { openSecrets, openTarget } from '../../src/backup/repositories/open-target.js';
import { recordingDriver } from '../../src/backup/repositories/recording-driver.js';
import { type RepositoryRow, repositories } from '../../src/backup/repositories/tables.js';
import { noProgress, type TerminalStatus } from '../../src/engine/jobs/job.rules.js';
import type { JobContext, NewJob } from '../../src/engine/jobs/job-contract.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { makeWorld } from '../repositories/world.js';

const caller = { username: 'ann', isAdmin: true } as never;
const died = new Error('The service died.');

async function setUp(extra: object = {}) {
  const world = makeWorld();
  const { id } = (await world.create(extra)).repository;
  /** Steps until the service dies, and whether it did. */
  const life = { steps: Number.POSITIVE_INFINITY, after: false, dead: false };
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    life.steps -= 1;
    if (life.steps === 0 && !life.after) life.dead = true;
    if (life.dead) throw died;
    const result = await work();
    if (life.steps === 0) life.dead = true;
    if (life.dead) throw died;
    return result;
  };
  const inSteps = <T extends object>(inner: T, names: readonly string[]): T =>
    new Proxy(inner, {
      get(of, name) {
        const member = Reflect.get(of, name);
        if (typeof member !== 'function' || !names.includes(String(name))) return member;
        return (...words: unknown[]) => step(() => member.apply(of, words));
      },
    });
  const storage = inSteps(world.storage, ['transaction']);
  const parts = { ...world.dependencies, storage } as Dependencies;
  const driver = recordingDriver(inSteps(world.driver, ['listArchives', 'changePassphrase']), parts);
  const queue = {
    insert: ({ requestedBy, repository, parameters, kind }: NewJob, session: StorageSession) =>
      session.insert(jobs, {
        ...{ kind, parameters, progress: noProgress, status: 'pending' },
        ...{ repository_id: repository.id, repository_path: 'p', repository_name: 'n' },
        ...{ requested_by: requestedBy, requested_at: world.clock.now() },
      }),
    wake: () => undefined,
    waitsFor: async () => null,
  };
  const needs = { ...parts, driver, jobs: queue } as unknown as Dependencies;
  const handler = passphraseHandler(needs);
  const row = async () => (await world.row(id)) as RepositoryRow;
  const ask = (passphrase: string) => changePassphrase(needs, caller, id, { passphrase });
  const lines: string[] = [];
  const jobOf = async (): Promise<JobRow> =>
    (await world.storage.find(jobs, { order: [['id', 'desc']], limit: 1 }))[0] as JobRow;
  return {
    ...{ world, needs, life, driver, handler, row, ask, lines, jobOf },
    tool: [...world.driver.repositories.values()][0] as { passphrase: string | null },
    stored: async () => openSecrets(world.dependencies.secrets, await row()).passphrase,
    async run(way: 'run' | 'recover' = 'run') {
      const { id: jobId } = await jobOf();
      await world.storage.update(jobs, { id: jobId }, { status: 'running', started_at: 1 });
      const context: Partial<JobContext> = {
        ...{ job: await jobOf(), repository: await row() },
        ...{ signal: new AbortController().signal, lost: new AbortController().signal },
        log: ({ text }) => void lines.push(text),
        toolOptions: () => ({}),
      };
      return handler[way](context as JobContext);
    },
    async end(status: TerminalStatus = 'failed') {
      const job = await jobOf();
      const { commit } = handler.settle(job, { status, error: null, outcome: null }, await row());
      await world.storage.transaction(async (session) => {
        await session.update(jobs, { id: job.id }, { status });
        await commit?.(session, async () => undefined);
      });
    },
    async opens() {
      const { target } = openTarget(world.dependencies, await row());
      return driver.listArchives(target, {}).then(
        () => true,
        () => false,
      );
    },
  };
}

describe('the change of a passphrase', () => {
  it('stores the new one, and the sheet becomes outdated', async () => {
    const { ask, run, row, stored, tool, lines, world } = await setUp();
    const answer = await ask('new one');
    expect(answer.message).toMatch(/exported earlier still open with the old passphrase/);
    expect(JSON.stringify((await row()).next_passphrase)).not.toContain('new one');
    expect(await stored()).toBe('correct horse');
    world.clock.advance(1000);
    expect(await run()).toMatchObject({ status: 'completed' });
    expect([await stored(), tool.passphrase]).toEqual(['new one', 'new one']);
    expect(await row()).toMatchObject({ next_passphrase: null, credentials_at: world.clock.now() });
    expect(lines.join()).not.toContain('new one');
    expect(await world.eventKinds()).toContain('repository_updated');
  });

  it('changes nothing when the stored passphrase is wrong', async () => {
    const { ask, run, row, tool, world } = await setUp();
    await ask('new one');
    tool.passphrase = 'changed by hand';
    expect(await run()).toMatchObject({
      status: 'failed',
      error: { code: 'passphrase_change_stored_wrong' },
    });
    expect(tool.passphrase).toBe('changed by hand');
    expect((await row()).next_passphrase).toBeNull();
    expect(world.driver.calls).not.toContain('changePassphrase');
  });

  it('forgets the new one when Borg refuses', async () => {
    const { ask, run, row, stored, opens, world } = await setUp();
    await ask('new one');
    world.driver.failures.set('changePassphrase', new DriverError('no_space', 'full'));
    await expect(run()).rejects.toMatchObject({ kind: 'no_space' });
    expect([(await row()).next_passphrase, await stored(), await opens()]).toEqual([
      null,
      'correct horse',
      true,
    ]);
  });

  it('completes when the answer of Borg was lost', async () => {
    const { ask, run, stored, world } = await setUp();
    await ask('new one');
    const { changePassphrase: change } = world.driver;
    world.driver.changePassphrase = async (...words) => {
      await change?.(...words);
      throw new DriverError('connection', 'lost');
    };
    expect(await run()).toMatchObject({ status: 'completed' });
    expect(await stored()).toBe('new one');
  });

  it('keeps both while neither can be tried', async () => {
    const { ask, run, row, opens, stored, world, end } = await setUp();
    await ask('new one');
    const { changePassphrase: change } = world.driver;
    world.driver.changePassphrase = async (...words) => {
      await change?.(...words);
      world.driver.failures.set('listArchives', new DriverError('connection', 'away'));
      throw new DriverError('connection', 'lost');
    };
    await expect(run()).rejects.toMatchObject({ kind: 'connection' });
    await end();
    expect((await row()).next_passphrase).not.toBeNull();
    expect([await opens(), await stored(), (await row()).next_passphrase]).toEqual([true, 'new one', null]);
  });

  it.each([false, true])('opens after a death before or after (%s) any step', async (after) => {
    for (let steps = 1; ; steps += 1) {
      const { ask, run, life, stored, tool, opens, end } = await setUp();
      await ask('new one');
      Object.assign(life, { steps, after });
      const ended = await run().catch((error: unknown) => error);
      if (!life.dead) {
        expect(steps).toBeGreaterThan(4);
        return;
      }
      expect(ended).toBe(died);
      Object.assign(life, { steps: Number.POSITIVE_INFINITY, dead: false });
      const isDone = tool.passphrase === 'new one';
      const { status } = await run('recover');
      expect([steps, status, await stored()]).toEqual([
        steps,
        isDone ? 'completed' : 'failed',
        isDone ? 'new one' : 'correct horse',
      ]);
      await end(status);
      expect(await opens()).toBe(true);
      // Another one can begin.
      await ask('a third');
      expect(await run()).toMatchObject({ status: 'completed' });
      expect([await stored(), tool.passphrase]).toEqual(['a third', 'a third']);
    }
  });

  it('is settled by any other use of the repository', async () => {
    const { ask, run, life, stored, tool, opens, row } = await setUp();
    await ask('new one');
    Object.assign(life, { steps: 2, after: true });
    await expect(run()).rejects.toBe(died);
    Object.assign(life, { steps: Number.POSITIVE_INFINITY, dead: false });
    expect([tool.passphrase, await stored()]).toEqual(['new one', 'correct horse']);
    expect([await opens(), await stored(), (await row()).next_passphrase]).toEqual([true, 'new one', null]);
    expect((await row()).open_error).toBeNull();
  });

  it('is taken up by a process that read the old one', async () => {
    const { ask, run, row, driver, world } = await setUp();
    const { target } = openTarget(world.dependencies, await row());
    await ask('new one');
    await run();
    await driver.listArchives(target, {});
    expect((await row()).open_error).toBeNull();
  });

  it('is rejected where nothing can be changed, or while another is open', async () => {
    const plain = await setUp({ encryption: 'none', passphrase: null });
    await expect(plain.ask('new one')).rejects.toMatchObject({ code: 'invalid' });
    const { ask, world, row } = await setUp();
    await expect(ask('correct horse')).rejects.toMatchObject({ code: 'invalid' });
    await world.storage.update(repositories, { id: (await row()).id }, { mode: 'observe' });
    await expect(ask('new one')).rejects.toMatchObject({ code: 'invalid' });
    await world.storage.update(repositories, { id: (await row()).id }, { mode: 'full' });
    await ask('new one');
    const before = (await row()).next_passphrase;
    await expect(ask('another')).rejects.toMatchObject({ code: 'conflict' });
    expect((await row()).next_passphrase).toBe(before);
  });

  it('leaves nothing when it is cancelled before it began', async () => {
    const { ask, end, row } = await setUp();
    await ask('new one');
    await end('cancelled');
    expect((await row()).next_passphrase).toBeNull();
  });
});
