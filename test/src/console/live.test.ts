import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRepository, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { isDeep } from '../lane.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import { freeStreams } from './streams.js';
import { WebConsole } from './web-console.js';

const places = [['/', '/repositories', '/activity'], ['/schedules']];
/** Each makes two events, beside those of the jobs. */
const rounds = isDeep ? 5_000 : 30;
const jobEvery = Math.ceil(rounds / 8);

describe('many changes at once', () => {
  let server: TestServer;
  let api: Api;

  beforeAll(async () => {
    server = await TestServer.start({ env: { EXPENSIVE_CALLS_PER_MINUTE: '1000000' } });
    api = await server.login();
    const source = server.workspace.folder('source');
    writeFileSync(join(source, 'ann.txt'), 'Dear Ann');
    for (const name of ['letters', 'photos', 'music'])
      await createRepository(api, {
        name,
        path: join(server.workspace.path, name),
        source_directories: [source],
      });
    const cron_expression = '0 2 * * *';
    await api.post('/api/schedule/', { name: 'nightly', cron_expression, repository_ids: [1, 2, 3] });
  });
  afterAll(async () => {
    await server.remove();
  });

  test('converge in every tab of every browser with one stream each', async () => {
    const browsers = [await WebConsole.open(server), await WebConsole.open(server, { width: 390 })];
    const tabs: { page: Page; address: string; of: WebConsole }[] = [];
    for (const [index, of] of browsers.entries()) {
      await of.signIn({ remember: true });
      for (const address of places[index] ?? []) tabs.push({ page: await of.tab(address), address, of });
    }
    for (const { page, of } of tabs) await of.settled(page);
    await waitFor(async () => (await freeStreams(api)) === 8, { what: 'one stream for each browser' });

    const jobs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const place = join(server.workspace.path, ['letters', 'photos', 'music'][round % 3] ?? '');
      const name = round === rounds - 1 ? 'the last' : `number ${round}`;
      const [job, ...changed] = await Promise.all([
        round % jobEvery === 0 ? startBackup(api, place) : null,
        api.put('/api/schedule/1', { name: `schedule ${name}` }),
        api.put(`/api/repositories/${1 + (round % 3)}`, { name: `${1 + (round % 3)}, ${name}` }),
      ]);
      expect(changed.map(({ status }) => status)).toEqual([200, 200]);
      if (job !== null) jobs.push(job);
      if (job !== null && jobs.length % 2 === 0) await api.post(`/api/jobs/${job}/cancel`);
    }
    const isOver = async () => {
      const { body } = await api.get('/api/jobs?limit=100');
      return body.jobs.every(({ completed_at }: { completed_at: string | null }) => completed_at !== null);
    };
    await waitFor(isOver, { what: 'the end of all jobs' });

    for (const of of browsers) {
      const fresh = await of.tab();
      for (const { page, address } of tabs.filter((tab) => tab.of === of)) {
        await fresh.goto(`${of.url}${address}`);
        await of.settled(fresh);
        // The fresh one may still be reading, too.
        await vi.waitFor(async () => expect(await textOf(page)).toBe(await textOf(fresh)), 60_000);
      }
      await fresh.close();
    }
    // Now that all is quiet, only the event of its own kind tells it.
    await api.put('/api/schedule/1', { name: 'at the end' });
    const row = tabs[3]?.page.locator('main').getByRole('link', { name: /at the end/ });
    await row?.first().waitFor({ timeout: 60_000 });
    expect(await freeStreams(api)).toBe(8);
    for (const of of browsers) {
      expect(of.violations).toEqual([]);
      await of.close();
    }
  });
});

/** Without the times of the day: a tab that is older says as of when it is. */
const textOf = async (page: Page): Promise<string> =>
  ((await page.locator('main').textContent()) ?? '').replaceAll(
    /\d\d:\d\d(:\d\d)?|just now|\d+ minutes? ago/g,
    '…',
  );
