import { DriverError } from '@holdfast/plugin-api/driver';
import { describe, expect, it } from 'vitest';
import { openTarget } from '../../src/backup/repositories/open-target.js';
import { openErrorOf, recordingDriver } from '../../src/backup/repositories/recording-driver.js';
import { opens } from '../../src/backup/repositories/repository.rules.js';
import type { Protection } from '../../src/insight/monitoring/protection.rules.js';
import { judgeOpening } from '../../src/insight/monitoring/protection.rules.js';
import { said } from '../fakes/said.js';
import { makeWorld } from './world.js';

async function setUp() {
  const world = makeWorld();
  const { repository } = await world.create();
  const driver = recordingDriver(world.driver, world.dependencies);
  const row = async () =>
    (await world.row(repository.id)) as NonNullable<Awaited<ReturnType<typeof world.row>>>;
  const { target } = openTarget(world.dependencies, await row());
  const fails = (kind: ConstructorParameters<typeof DriverError>[0]) =>
    world.driver.failures.set('listArchives', new DriverError(kind, `It is ${kind}.`));
  const list = () => driver.listArchives(target, {}).catch((error: Error) => error.message);
  return { world, driver, row, target, fails, list };
}

describe('whether a repository opens', () => {
  it('is noted with the reason and since when, until it opens', async () => {
    const { world, row, fails, list } = await setUp();
    fails('passphrase_wrong');
    expect(await list()).toBe('It is passphrase_wrong.');
    const at = world.clock.now();
    const noted = {
      open_error: 'It is passphrase_wrong.',
      open_error_kind: 'passphrase_wrong',
      open_error_at: at,
    };
    expect(await row()).toMatchObject(noted);
    expect(openErrorOf(await row())).toMatchObject({
      code: 'tool_passphrase_wrong',
      params: { problem: 'It is passphrase_wrong.' },
    });
    world.clock.advance(1000);
    fails('passphrase_wrong');
    await list();
    expect(await row()).toMatchObject(noted);
    await list();
    expect(await row()).toMatchObject({ open_error: null, open_error_kind: null, open_error_at: null });
  });

  it('ignores temporary failures and attempts before a change is stored', async () => {
    const { driver, row, target, fails, list, world } = await setUp();
    fails('locked');
    await list();
    expect((await row()).open_error).toBeNull();
    fails('passphrase_wrong');
    await driver.listArchives({ ...target, uid: 'candidate' }, {}).catch(() => {});
    expect((await row()).open_error).toBeNull();
    const { expected: _, ...unregistered } = target;
    world.driver.failures.set('listArchives', new DriverError('passphrase_wrong', 'wrong'));
    await driver.listArchives(unregistered, {}).catch(() => {});
    expect((await row()).open_error).toBeNull();
  });

  it('opens again after a user accepted its older state', async () => {
    const { world, row, fails, list } = await setUp();
    const { id, name } = await row();
    const accept = () => world.acceptIdentity(id, { confirm_name: name });
    await expect(accept()).rejects.toMatchObject({ code: 'conflict' });
    fails('older_state');
    await list();
    expect((await row()).open_error_kind).toBe('older_state');
    await accept();
    expect(await row()).toMatchObject({ open_error: null, open_error_kind: null });
    expect(world.driver.forgotten).toContain((await row()).uid);
  });

  it('stays full while it is only read, until something is written', async () => {
    const { world, driver, row, target, fails, list } = await setUp();
    fails('quota');
    await list();
    expect((await row()).open_error_kind).toBe('quota');
    await list();
    expect((await row()).open_error_kind).toBe('quota');
    world.driver.deleteArchives = async () => ({ value: { deleted: [], missing: [] }, warnings: [] });
    await driver.deleteArchives(target, { archives: [] });
    expect((await row()).open_error_kind).toBeNull();
  });

  it('keeps the protection of a full, readable repository and adds a warning', () => {
    const judged: Protection = {
      state: 'protected',
      reasons: [said('young')],
      promise: null,
      until: null,
      damaged: false,
    };
    const full = { open_error: 'The quota.', open_error_at: 5, open_error_kind: 'quota' as const };
    expect(judgeOpening(judged, full).state).toBe('protected');
    expect(judgeOpening(judged, full).reasons[0].code).toBe('protection_storage_full');
  });

  it('makes protection unknown if it cannot be opened', () => {
    const judged: Protection = {
      state: 'protected',
      reasons: [said('young')],
      promise: null,
      until: 1,
      damaged: false,
    };
    const closed = {
      open_error: 'The passphrase is wrong.',
      open_error_at: 0,
      open_error_kind: 'passphrase_wrong' as const,
    };
    expect(judgeOpening(judged, opens)).toBe(judged);
    const told = judgeOpening(judged, closed);
    expect(told.state).toBe('unknown');
    expect(told.reasons[0].params).toMatchObject({ error_code: 'tool_passphrase_wrong' });
    expect(told.reasons.map(String)).toEqual([
      'The repository cannot be opened (since 1970-01-01T00:00:00.000Z): The passphrase is wrong.',
      'young',
    ]);
    expect(judgeOpening({ ...judged, state: 'late' }, closed).state).toBe('late');
  });
});

describe('a passphrase', () => {
  it('is stored only after it opened the repository', async () => {
    const { world, row } = await setUp();
    const { id, passphrase: before } = await row();
    await expect(world.setPassphrase(id, { passphrase: 'wrong' })).rejects.toMatchObject({ code: 'invalid' });
    expect((await row()).passphrase).toBe(before);
    for (const each of world.driver.repositories.values()) each.passphrase = 'new one';
    await world.setPassphrase(id, { passphrase: 'new one' });
    expect((await row()).passphrase).not.toBe(before);
    expect((await world.testRepository(id)).opens).toBe(true);
    expect(world.driver.forgotten).not.toContain((await row()).uid);
  });
});
