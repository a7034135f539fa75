import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { forgetInSchedules } from '../../src/backup/schedules/settle-slot.js';
import { makeNotifierRegistry } from '../../src/insight/notifications/notifier-registry.js';
import { notificationRepositories, notificationSettings } from '../../src/insight/notifications/tables.js';
import { admin, lookOften, makeWorld, reader, receiver, type World } from './world.js';

let world: World;
beforeEach(() => {
  world = makeWorld();
});
const secretUrl = 'json://user:hunter2@host/hook';
const ids = (view: { repositories: { id: number }[] }) => view.repositories.map(({ id }) => id);

describe('a notification setting', () => {
  it('has the defaults of the interface', async () => {
    const made = await world.create();
    expect(made).toEqual({
      id: 1,
      name: 'ops',
      service_url: 'json://host/hook',
      enabled: true,
      title_prefix: null,
      include_job_name_in_title: false,
      monitor_all_repositories: true,
      repositories: [],
      notify_on_backup_start: false,
      notify_on_backup_success: false,
      notify_on_backup_failure: true,
      notify_on_restore_success: false,
      notify_on_restore_failure: true,
      notify_on_check_success: false,
      notify_on_check_failure: true,
      notify_on_schedule_failure: true,
      notify_on_backup_warning: true,
      notify_on_backup_late: true,
      notify_on_backup_on_time_again: true,
      notify_on_damaged: true,
      notify_on_retention_paused: true,
      notify_on_incident: true,
      notify_on_report_weekly: true,
      failure_grouping_minutes: 0,
      created_at: '2030-01-01T00:00:00.000Z',
      updated_at: '2030-01-01T00:00:00.000Z',
      last_used_at: null,
    });
  });

  it('follows its success flag until it gets a warning flag', async () => {
    const { storage } = world;
    await world.create();
    await storage.update(notificationSettings, { id: 1 }, { notify_on_backup_warning: null });
    const shown = async () => (await world.getSetting(reader, 1)).notify_on_backup_warning;
    const told = async () => {
      await world.happen('backup_warning');
      return (await world.rows()).length;
    };
    expect([await shown(), await told()]).toEqual([false, 0]);
    await world.update(1, { notify_on_backup_success: true });
    expect([await shown(), await told()]).toEqual([true, 1]);
    await world.update(1, { notify_on_backup_warning: false });
    expect([await shown(), await told()]).toEqual([false, 1]);
  });

  it('encrypts its URL, shows it to administrators and masks it for others', async () => {
    await world.create({ service_url: secretUrl });
    expect((await world.setting(1))?.service_url).not.toContain('hunter2');
    expect((await world.listSettings(admin))[0]?.service_url).toBe(secretUrl);
    expect((await world.listSettings(reader))[0]?.service_url).toBe('json://***');
    expect((await world.getSetting(reader, 1)).service_url).toBe('json://***');
  });

  it('is shown masked if the secret key changed', async () => {
    await world.create({ service_url: secretUrl });
    world.dependencies.secrets.open = () => {
      throw new Error('another key');
    };
    expect((await world.getSetting(admin, 1)).service_url).toBe('json://***');
  });

  it('changes only given fields and clears the prefix with null', async () => {
    await world.create({ service_url: secretUrl, title_prefix: '[A]', notify_on_backup_start: true });
    expect(await world.update(1, { name: 'dev' })).toMatchObject({
      name: 'dev',
      title_prefix: '[A]',
      notify_on_backup_start: true,
      service_url: secretUrl,
    });
    const changed = await world.update(1, { title_prefix: null, service_url: 'mailto://a:b@c.org' });
    expect(changed).toMatchObject({ title_prefix: null, service_url: 'mailto://a:b@c.org', name: 'dev' });
    expect(changed.updated_at > changed.created_at).toBe(true);
  });

  it.each([
    ['hook', /no scheme/],
    ['slack://a/b/c', /^No transport supports slack:\/\/\. Supported: .*APPRISE_API_URL/],
    [
      'https://a/b/c',
      /^No transport supports https:\/\/\. For a webhook, write jsons:\/\/ instead of https.*APPRISE/,
    ],
    ['json://***', /masked service URL/],
  ])('is refused with the URL %s', async (service_url, detail) => {
    await expect(world.create({ service_url })).rejects.toMatchObject({ code: 'invalid', detail });
    await world.create();
    await expect(world.update(1, { service_url })).rejects.toMatchObject({ code: 'invalid', detail });
  });

  it('asks the transport to check the URL', async () => {
    const check = (url: string) => (url.includes('bad') ? 'The port is none.' : null);
    world.dependencies.notifiers = makeNotifierRegistry([{ ...receiver(), check }]);
    await expect(world.create({ service_url: 'json://bad' })).rejects.toMatchObject({
      detail: 'The port is none.',
      reason: { code: 'service_url_rejected', params: { problem: 'The port is none.' } },
    });
  });

  it('stays with the Apprise server until its URL changes', async () => {
    const [rest, chat] = [receiver(['*']), { ...receiver(['chat']), yields: true }];
    world.dependencies.notifiers = makeNotifierRegistry([rest, chat]);
    const isAppriseFirst = async () => (await world.setting(1))?.apprise_first;
    await world.create({ service_url: 'chat://room' });
    expect(await isAppriseFirst()).toBe(false);
    await world.storage.update(notificationSettings, { id: 1 }, { apprise_first: true });
    await world.update(1, { name: 'dev', service_url: 'chat://room' });
    expect(await isAppriseFirst()).toBe(true);
    const instance = world.startRunner('one');
    onTestFinished(() => instance.stop(0));
    await world.happen('backup_failure');
    await lookOften(instance);
    expect([rest.got.length, chat.got.length]).toEqual([1, 0]);
    await world.update(1, { service_url: 'chat://hall' });
    expect(await isAppriseFirst()).toBe(false);
    await world.happen('backup_failure');
    await lookOften(instance);
    expect([rest.got.length, chat.got.length]).toEqual([1, 1]);
  });

  it('is not found if missing', async () => {
    for (const call of [world.getSetting(admin, 7), world.update(7, {}), world.deleteSetting(7)]) {
      await expect(call).rejects.toMatchObject({
        code: 'not_found',
        detail: expect.stringMatching(/^There is no notification channel/),
      });
    }
  });
});

describe('the repositories of a setting', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) await world.addRepository(name);
  });

  it('are used only without monitor_all_repositories', async () => {
    const all = await world.create({ repository_ids: [1] });
    expect([ids(all), all.warnings]).toEqual([[], [expect.stringMatching(/^repository_ids was ignored/)]]);
    const some = await world.create({ monitor_all_repositories: false, repository_ids: [2, 1, 2] });
    expect(some.repositories).toEqual([
      { id: 2, name: 'b' },
      { id: 1, name: 'a' },
    ]);
    expect(some.warnings).toBeUndefined();
  });

  it('are replaced only by a list that is not empty', async () => {
    await world.create({ monitor_all_repositories: false, repository_ids: [1, 2] });
    for (const repository_ids of [undefined, null, []]) {
      expect(ids(await world.update(1, { repository_ids }))).toEqual([1, 2]);
    }
    expect(ids(await world.update(1, { repository_ids: [3] }))).toEqual([3]);
    expect(ids(await world.update(1, { monitor_all_repositories: true, repository_ids: [1] }))).toEqual([]);
    expect(ids(await world.update(1, { monitor_all_repositories: false }))).toEqual([3]);
  });

  it('must exist', async () => {
    const input = { monitor_all_repositories: false, repository_ids: [1, 77, 88] };
    await expect(world.create(input)).rejects.toMatchObject({ code: 'invalid', detail: /77, 88/ });
    expect(await world.listSettings(admin)).toEqual([]);
  });

  it('cause a warning if empty, as do unknown fields', async () => {
    const { warnings } = await world.create({ monitor_all_repositories: false, colour: 'red', id: 9 });
    expect(warnings).toEqual([
      'colour is unknown and was ignored.',
      'id was ignored: it is read-only.',
      expect.stringMatching(/monitors no repository/),
    ]);
  });
});

it('removes its links and messages with a deleted channel', async () => {
  await world.addRepository('a');
  await world.create({ monitor_all_repositories: false, repository_ids: [1] });
  await world.happen('backup_failure');
  expect(await world.rows()).toHaveLength(1);
  await world.deleteSetting(1);
  expect(await world.rows()).toEqual([]);
  expect(await world.storage.find(notificationRepositories)).toEqual([]);
});

it('reports an emptied schedule to channels of its last repository', async () => {
  const repository = await world.addRepository('a');
  await world.create({ monitor_all_repositories: false, repository_ids: [1] });
  await world.storage.transaction((session) =>
    forgetInSchedules(session, { repository, events: world.dependencies.events }),
  );
  await world.happen('schedule_failure', null, { repository_ids: [2, 1] });
  await world.happen('schedule_failure', null, { repository_ids: [2] });
  await world.happen('schedule_failure', null);
  expect(await world.rows()).toHaveLength(1);
});

describe('a test', () => {
  it('is sent and stores nothing', async () => {
    const answer = await world.testServiceUrl(' json://host ');
    expect(answer).toMatchObject({ success: true, message: 'The test notification was sent.' });
    expect(world.sink.got).toMatchObject([{ type: 'info', event: 'test', title: /test notification/ }]);
    expect(await world.rows()).toEqual([]);
  });

  it("returns the receiver's answer without secrets", async () => {
    world.sink.fault = new Error('401 for user:hunter2@host: no');
    const answer = await world.testServiceUrl(secretUrl);
    const message = '401 for user:***@host: no';
    const message_params = { error: message };
    expect(answer).toEqual({ success: false, message, message_code: 'delivery_failed', message_params });
  });

  it.each(['nonsense', 'slack://x/y'])('reports the problem of %s', async (url) => {
    expect(await world.testServiceUrl(url)).toMatchObject({ success: false, message: /scheme|serves/ });
  });
});
