import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, deleteArchive } from '../actions.js';
import { endedMaintenance } from '../maintenance.js';
import { MemoryRepository } from '../memory-repository.js';
import { provocations } from '../notification-provocations.js';
import { flags, NotificationWorld, type Told } from '../notification-world.js';
import { waitFor } from '../wait-for.js';

let world: NotificationWorld;
beforeAll(async () => {
  world = await NotificationWorld.open();
});
afterAll(() => world?.close());

const within = (what: string) => ({ what, timeoutMs: 60_000 });

test.each(provocations)('sends $event by $how to webhook, form and mail', async (provocation) => {
  const { event, provoke, title, type, body, data } = provocation;
  const before = world.sinks.hook.requests.length;
  await provoke(world);
  const look = () =>
    world
      .byHook()
      .slice(before)
      .findLast((one) => one.event === event);
  const told = await waitFor(look, within(`the webhook of ${event}`));
  const facts = expect.objectContaining({ event_type: event, ...data });
  expect(told).toMatchObject({ title, type, body: expect.stringMatching(body), data: facts });
  const same = () => world.byForm().find((one) => one.body === told.body);
  expect(await waitFor(same, within(`the form of ${event}`))).toMatchObject({ title, type });
  const letter = () =>
    world.sinks.mail.mails.find(({ subject, text }) => subject === title && ofSame(told, text));
  expect(await waitFor(letter, within(`the mail of ${event}`))).toMatchObject({
    from: 'me@home.test',
    to: ['ops@home.test'],
  });
});

/** The last line has the time, and the second one of a table the archive, the repository or the schedule. */
function ofSame({ body }: Told, text: string): boolean {
  const [first = '', second = ''] = body.split('\n');
  const shown = [
    body.split('\n').at(-1) ?? '',
    ...[first, second].map((line) => line.replace(/^[^:]*: */, '')),
  ];
  return text.includes('<!DOCTYPE html>') && shown.every((words) => text.includes(`>${words}<`));
}

test('sends nothing for maintenance, deletions and cancelled checks', async () => {
  const { api } = world;
  const { id, path } = await world.shared();
  const { archive_name } = await backUp(api, path);
  await world.delivered();
  const before = world.sinks.hook.requests.length;
  expect((await api.post(`/api/repositories/${id}/prune`, {})).body).toMatchObject({ status: 'completed' });
  await deleteArchive(api, path, archive_name ?? '');
  await endedMaintenance(api, 'compact', await api.post(`/api/repositories/${id}/compact`));
  await api.put(`/api/repositories/${id}`, { compression: 'zstd' });

  const tool = new MemoryRepository(path);
  tool.hold('compact');
  const lane = await api.post(`/api/repositories/${id}/compact`);
  await tool.reached('compact');
  const check = await api.post(`/api/repositories/${id}/check`);
  await api.post(`/api/repositories/check-jobs/${check.body.job_id}/cancel`);
  expect(await endedMaintenance(api, 'check', check)).toMatchObject({ status: 'cancelled' });
  tool.release('compact');
  await endedMaintenance(api, 'compact', lane);
  await world.delivered();
  expect(world.byHook().slice(before)).toEqual([]);
});

const flagOf = ({ event }: Told) => `notify_on_${event}`;
const bodies = (told: readonly Told[]) => told.map(({ body }) => body).toSorted();

test.each(flags)('sends everything else without %s', async (flag) => {
  await world.delivered();
  const all = world.byHook();
  const expected = all.filter((told) => flagOf(told) !== flag);
  expect(expected.length).toBeLessThan(all.length);
  expect(expected.length).toBeGreaterThan(10);
  expect(bodies(world.without(flag))).toEqual(bodies(expected));
});

test('sends nothing for disabled events and other repositories', async () => {
  await world.delivered();
  expect(bodies(world.byForm())).toEqual(bodies(world.byHook()));
  expect(world.sinks.silent.requests).toEqual([]);
});
