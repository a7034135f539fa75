import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository, endedJob, passphrase, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { WebConsole } from './web-console.js';

const day = 24 * 3_600_000;
const files = 600;

describe('repositories in the console', () => {
  let server: TestServer;
  let api: Api;
  let console: WebConsole;
  let source: string;
  const at = (name: string) => join(server.workspace.path, name);

  /** With an archive of each of two days that plain borg made. */
  function makeElsewhere(name: string): void {
    const env = {
      ...process.env,
      BORG_PASSPHRASE: passphrase,
      BORG_BASE_DIR: server.workspace.folder('plain'),
    };
    execFileSync('borg', ['init', '-e', 'repokey', at(name)], { env });
    for (const days of [3, 2]) {
      writeFileSync(join(source, 'diary'), `day ${days}`.repeat(9_000));
      const time = new Date(Date.now() - days * day).toISOString().slice(0, 19);
      execFileSync('borg', ['create', '--timestamp', time, `${at(name)}::day-${days}`, source], { env });
    }
  }

  /** What is drawn when it comes near, as a user finds it. */
  const reveal = (part: Locator) =>
    expect
      .poll(async () => {
        await console.page.mouse.wheel(0, 400);
        return part.isVisible();
      })
      .toBe(true);
  async function take(name: string, settings: object): Promise<void> {
    const known = { name, path: at(name), passphrase, source_directories: [source] };
    const answer = await api.post('/api/repositories/import', { ...known, ...settings });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  }

  beforeAll(async () => {
    server = await TestServer.start({ env: { ARCHIVE_SIZES_PER_MINUTE: '60' } });
    api = await server.login();
    source = server.workspace.folder('home');
    for (let n = 0; n < files; n += 1) writeFileSync(join(source, `file-${n}`), '');
    makeElsewhere('anna');
    await take('anna', { freshness_hours: 26 });
    await endedJob(api, await startBackup(api, at('anna')));
    makeElsewhere('watched');
    await take('watched', { mode: 'observe', freshness_hours: 26 });
    const gone = { name: 'gone', path: at('gone'), source_directories: [source] };
    const { id } = await createRepository(api, gone);
    renameSync(at('gone'), at('elsewhere'));
    await api.post(`/api/repositories/${id}/test`);
    console = await WebConsole.open(server);
    await console.signIn({ remember: true });
  });
  afterAll(async () => {
    expect(console.violations).toEqual([]);
    await console.close();
    await server.remove();
  });

  test('counts each class in the headline and names the oldest late backup', async () => {
    const page = await console.visit('/');
    await page
      .getByRole('heading', { level: 1, name: '1 can’t be opened, 1 late, 1 protected.', exact: true })
      .waitFor();
    await page.getByText(/^Oldest backup: watched \(/).waitFor();
  });

  test('shows 71 repositories and their problems on two screens', async () => {
    const { page } = console;
    const { body } = await api.get('/api/overview');
    const [known] = body.repositories;
    const names = ['<img src=x onerror=alert(1)>', 'אבג', 'x'.repeat(255)];
    const repositories = Array.from({ length: 71 }, (_, n) => ({
      ...known,
      id: n + 1,
      name: names[n] ?? `photos-${n}`,
      host: n < 40 ? null : 'nas.lan',
      ...(n === 50 ? { status: 'late' } : {}),
    }));
    const attention = repositories.slice(0, 20).map((object) => ({
      ...body.attention[0],
      cause: 'not_covered',
      text: `${object.name} is in no enabled schedule.`,
      object: { kind: 'repository', id: object.id, name: object.name },
    }));
    const counts = { ...body.counts, total: 71, running: 8, pending: 58 };
    const json = { ...body, repositories, attention, attention_total: 20, counts };
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.route('**/api/overview?*', (route) => route.fulfill({ json }));
    await page.reload();
    await page.getByRole('heading', { name: '8 running, 58 waiting' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1_800);
    const onNas = page.getByRole('region', { name: 'nas.lan' });
    expect(await onNas.getByRole('link').count()).toBe(31);
    expect(await onNas.getByRole('link').first().getAttribute('aria-label')).toMatch(/^photos-50, Late/);
    await page.getByText('20 repositories are in no enabled schedule').waitFor();
    await page.getByRole('button', { name: 'Show each' }).click();
    await page.getByRole('link', { name: 'Why: photos-19' }).waitFor();
    await page.getByRole('searchbox', { name: 'Find a repository, host or tag' }).fill('photos-5');
    await page.getByText('11 of 71').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await page.unroute('**/api/overview?*');
  });

  test('names repositories whose scripts a run of the schedule skips', async () => {
    const { repositories } = (await api.get('/api/repositories/')).body;
    const anna = repositories.find(({ name }: { name: string }) => name === 'anna').id;
    const dump = await api.post('/api/scripts', { name: 'dump', content: 'true' });
    const body = { script_id: dump.body.id, hook_type: 'pre-backup' };
    expect((await api.post(`/api/repositories/${anna}/scripts`, body)).status).toBe(201);
    const plan = { name: 'nightly', cron_expression: '0 3 1 1 *', repository_ids: [anna] };
    const { job } = (await api.post('/api/schedule/', { ...plan, run_repository_scripts: true })).body;
    const page = await console.visit(`/schedules/${job.id}/edit`);
    await page.locator('summary', { hasText: 'Scripts' }).click();
    const scripts = page.getByRole('checkbox', { name: 'Run the scripts of the repositories too' });
    const warning = page.getByText('The scripts of anna will not run:');
    await scripts.waitFor();
    expect(await warning.count()).toBe(0);
    await scripts.uncheck();
    await warning.waitFor();
    expect((await api.delete(`/api/schedule/${job.id}`)).status).toBe(200);
  });

  test('offers no backup of a repository that is monitored only', async () => {
    const page = await console.visit('/');
    await page.getByRole('link', { name: 'Why: watched' }).first().waitFor();
    expect(await page.getByRole('button', { name: /^Back up now/ }).count()).toBe(0);
    await console.visit('/repositories');
    await page.getByText('monitor only').waitFor();
  });

  test('shows the reason from Home and the next step on top of a page', async () => {
    const uncovered = { name: 'new', path: at('new'), source_directories: [source] };
    const { id } = await createRepository(api, uncovered);
    const page = await console.visit('/');
    await page.getByRole('link', { name: 'Why: new' }).click();
    // Home has the same words.
    await page.getByRole('heading', { level: 1, name: 'new', exact: true }).waitFor();
    const shown = () => page.locator('main').textContent();
    await expect.poll(shown).toMatch(/^(?:(?!Unknown).)*new is in no enabled schedule.*Unknown/s);
    await page.getByRole('link', { name: 'What to do' }).click();
    await page.getByRole('heading', { level: 1, name: 'New schedule' }).waitFor();
    expect((await api.request('DELETE', `/api/repositories/${id}`)).status).toBe(200);
  });

  test('shows no added size for an imported archive and no chart for one sample', async () => {
    // Sizes of external archives are read in the background.
    const sized = async () =>
      (await api.get('/api/archives/list?repository_id=1&known_only=true')).body.archives.every(
        (one: { original_size: number | null }) => one.original_size !== null,
      );
    await expect.poll(sized, { timeout: 120_000, interval: 1_000 }).toBe(true);
    const page = await console.visit('/repositories/1/archives');
    const table = page.getByRole('table', { name: 'Archives' });
    await table.getByRole('button', { name: 'Added' }).waitFor();
    const rows = table.getByRole('row').filter({ has: page.getByRole('link') });
    const added = await rows.evaluateAll((all) =>
      all.map((row) => row.querySelector('[role=cell]:nth-of-type(7)')?.textContent?.replace('Added ', '')),
    );
    expect(added).toEqual([expect.stringMatching(/B$/), '–', '–']);
    await console.visit('/repositories/1');
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const room = page.locator('figure').filter({ hasText: 'Storage' });
    await room.waitFor();
    expect(await room.getByRole('img').count()).toBe(0);
    expect(await page.getByText(/times the usual/).count()).toBe(0);
  });

  test('shows the state, figures, last jobs and the year of a repository', async () => {
    const { page } = console;
    const { jobs } = (await api.get('/api/jobs?repository_id=1')).body;
    const { body: known } = await api.get(
      '/api/history/days?days=365&timezone=Europe/Berlin&repository_id=1',
    );
    const days = `${'-'.repeat(300)}${'o'.repeat(62)}wfm`;
    const ended = Array.from({ length: 8 }, (_, n) => ({ ...jobs[0], id: 90 - n }));
    const running = { ...jobs[0], id: 7, status: 'running', progress: 40, completed_at: null };
    await page.route('**/api/history/days?*', (route) =>
      route.fulfill({ json: { ...known, repositories: [{ ...known.repositories[0], days }] } }),
    );
    await page.route(/\/api\/jobs\?/, (route) =>
      route.fulfill({ json: { success: true, jobs: [...ended, running], next_before: null } }),
    );
    await page.setViewportSize({ width: 1440, height: 900 });
    await console.visit('/repositories/1');
    const last = page.getByRole('table', { name: 'Last jobs' });
    await last.waitFor();
    expect(await last.getByRole('link').count()).toBe(5);
    expect(await last.getByRole('link').first().getAttribute('aria-label')).toMatch(/Running$/);
    for (const figure of ['Newest archive', 'Archives', 'Size', 'Free space']) {
      const box = await page.locator('main dt').getByText(figure, { exact: true }).boundingBox();
      expect(box?.y).toBeLessThan(500);
    }
    const year = page.getByRole('slider', { name: 'The last year' });
    await year.waitFor();
    await page.getByText(/^63 of 365 days with a backup; .+: failed; .+: missed$/).waitFor();
    expect(await year.getAttribute('aria-valuetext')).toMatch(/: A scheduled run was missed$/);
    await year.press('ArrowUp');
    expect(await year.getAttribute('aria-valuetext')).toMatch(/: Failed$/);
    await year.press('ArrowLeft');
    expect(await year.getAttribute('aria-valuetext')).toMatch(/: Backed up$/);
    await year.press('Enter');
    await page.getByRole('button', { name: 'Runs', exact: true, expanded: true }).waitFor();
    await page.getByText('Nothing ran on this day.').waitFor();
    const today = page.getByRole('button', { name: 'Next day' });
    while (await today.isEnabled()) await today.click();
    const runs = page.getByRole('table', { name: /^Runs of / });
    await runs.getByRole('link').first().waitFor();
    expect(await runs.getByRole('link').first().getAttribute('href')).toMatch(/\/activity\/\d+$/);
    await page.getByRole('button', { name: 'Show as a table: The last year' }).click();
    const table = page.getByRole('table', { name: 'The last year' });
    expect(await table.getByRole('row').nth(2).textContent()).toMatch(/Failed$/);
    await page.getByRole('link', { name: 'Show all jobs' }).click();
    await page.waitForURL('**/activity?repository=1');
    await page.unrouteAll();
  });

  test('shows the year of all repositories in Activity', async () => {
    const { page } = console;
    const { body: known } = await api.get('/api/history/days?days=365&timezone=Europe/Berlin');
    const [one, other] = known.repositories;
    const year = (end: string) => `${'o'.repeat(365 - end.length)}${end}`;
    const repositories = [
      { ...one, name: 'mail', days: year('fo') },
      { ...other, name: 'photos', days: year('ml') },
    ];
    await page.route('**/api/history/days?*', (route) => route.fulfill({ json: { ...known, repositories } }));
    await console.visit('/activity');
    const slider = page.getByRole('slider', { name: 'The last year' });
    await slider.scrollIntoViewIfNeeded();
    await page.getByText(/^363 of 365 days without a failed, missed or late backup; .+: failed; /).waitFor();
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/archive was too old \(photos\)$/);
    await slider.press('ArrowUp');
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/: Failed \(mail\)$/);
    await slider.press('ArrowDown');
    await slider.press('Enter');
    const runs = page.getByRole('table', { name: /^Runs of / });
    await runs.getByRole('row').nth(1).waitFor();
    expect(await runs.getByRole('columnheader').allTextContents()).toContain('Repository');
    await page.getByRole('combobox', { name: 'Repository' }).selectOption({ index: 1 });
    await page.getByText(/of 365 days with a backup/).waitFor();
    await page.unrouteAll();
  });

  test('shows the folders that grew, one level at a time', async () => {
    const { page } = console;
    const asked: string[] = [];
    const archive = (day: number) => ({ archive: `a${day}`, start: `2026-03-0${day}T02:00:00.000Z` });
    const index = { success: true, enabled: true, indexed_archives: 2, archives: 4, bytes: 4_000 };
    await page.route('**/api/repositories/*/index', (route) => route.fulfill({ json: index }));
    await page.route('**/growth-by-folder?*', (route) => {
      const query = new URL(route.request().url()).searchParams;
      const path = query.get('path') ?? '';
      asked.push(`${query.get('days')} ${path}`);
      const folders =
        path === ''
          ? [
              { path: 'home', bytes: 48_000_000, files: 12 },
              { path: 'srv', bytes: -2_000_000, files: -3 },
              { path: '', bytes: 5, files: 0 },
            ]
          : [];
      const known = { success: true, from: archive(1), to: archive(9), path, folders };
      return route.fulfill({ json: { ...known, complete: true, not_indexed: 2 } });
    });
    await console.visit('/repositories/1');
    const part = page.getByRole('region', { name: 'Which folders grew' });
    await reveal(part);
    const rows = part.getByRole('row');
    await rows.filter({ hasText: 'home' }).getByText('+48 MB').waitFor();
    expect(await rows.nth(2).textContent()).toMatch(/srv.*−3.*−2 MB$/);
    expect(await rows.nth(3).textContent()).toMatch(/^Files directly in it/);
    await part.getByText('2 archives are not indexed yet.').waitFor();
    await part.getByRole('button', { name: 'home' }).click();
    await part.getByText('No folder grew or shrank.').waitFor();
    await part.getByRole('button', { name: 'Up' }).click();
    await part.getByRole('combobox').selectOption('90');
    await expect.poll(() => asked).toEqual(['30 ', '30 home', '90 ']);
    await page.unroute('**/growth-by-folder?*');
    await page.route('**/growth-by-folder?*', (route) =>
      route.fulfill({ status: 404, json: { detail: 'none', code: 'growth_needs_archives' } }),
    );
    await console.visit('/repositories/2');
    await reveal(part.getByText('This needs two archives in the index.'));
    await page.unrouteAll();
  });

  test('shows a bar for each archive and lost files before a prune', async () => {
    const { page } = console;
    const archives = ['daily #1', 'pinned: tax', 'removed', 'removed', 'newest good archive'].map(
      (rule, n) => ({ name: `a${n}`, start: `2026-03-0${9 - n}T02:00:00.000Z`, rule }),
    );
    const lost = {
      ...{ files: 3, bytes: 4_000_000, not_indexed: 1 },
      largest: [{ path: 'home/ann/film.mp4', size: 3_000_000, archive: 'a3' }],
      folders: [{ path: 'home/ann', files: 3, bytes: 4_000_000 }],
    };
    await page.route('**/api/repositories/1/prune', (route) => route.fulfill({ json: { job_id: 9 } }));
    await page.route('**/prune-jobs/9', (route) =>
      route.fulfill({ json: { archives, completed_at: '2026-03-09T02:00:00.000Z' } }),
    );
    const bodies: unknown[] = [];
    let answer: typeof lost | null = lost;
    await page.route('**/api/schedule/preview', (route) => {
      bodies.push(route.request().postDataJSON());
      return route.fulfill({ json: { success: true, lost: answer } });
    });
    await console.visit('/repositories/1/maintenance');
    const dialog = page.getByRole('dialog', { name: 'Prune' });
    const preview = async () => {
      await page.getByRole('button', { name: 'Preview', exact: true }).click();
      await dialog.getByRole('spinbutton', { name: 'Daily' }).fill(String(bodies.length + 3));
      await dialog.getByRole('button', { name: 'Show preview' }).click();
      await dialog.getByRole('img', { name: 'Kept: 2, Pinned: 1, Removed: 2' }).waitFor();
    };
    const close = () => dialog.getByRole('button', { name: 'Close' }).click();
    await preview();
    await dialog.getByText('3 files (4 MB) would be lost: no other archive has').waitFor();
    await dialog.getByText('One archive is not indexed yet').waitFor();
    await dialog.getByRole('row', { name: /home\/ann/ }).waitFor();
    await dialog.getByText('The largest files').click();
    await dialog.getByRole('row', { name: /film\.mp4.*a3.*3 MB/ }).waitFor();
    expect(bodies).toMatchObject([{ repository_id: 1, prune_keep_daily: 3, lost: true }]);
    await close();
    answer = { files: 0, bytes: 0, largest: [], folders: [], not_indexed: 0 };
    await preview();
    await dialog.getByText('No file would be lost').waitFor();
    await close();
    answer = null;
    await preview();
    await dialog.getByText('Holdfast has no index of this repository').waitFor();
    await close();
    await page.unrouteAll();
  });

  test('shows the largest folders of the newest archive when asked to read it', async () => {
    const { page } = console;
    const asked: string[] = [];
    const note = (request: { url(): string }) => void asked.push(request.url());
    page.on('request', note);
    await console.visit('/repositories/1');
    const read = page
      .getByRole('region', { name: 'What takes the space' })
      .getByRole('button', { name: 'Read it' });
    await reveal(read);
    expect(asked.filter((url) => url.includes('/contents'))).toEqual([]);
    await read.click();
    // Down to the folder that has more than one entry.
    const table = page.getByRole('table', { name: `Entries of ${source}`, exact: true });
    await table.waitFor();
    const links = table.getByRole('link');
    expect([await links.count(), await links.first().textContent()]).toEqual([8, 'diary']);
    const others = page.getByRole('link', { name: `${files + 1 - 8} others: 0 B` });
    expect(await others.getAttribute('href')).toMatch(new RegExp(`${source}$`));
    await page.reload();
    await reveal(table);
    page.off('request', note);
  });

  test('shows 14 archives without scrolling, sorts them, and shows those of a day', async () => {
    const { body } = await api.get('/api/archives/list?repository_id=1&known_only=true');
    const [one] = body.archives;
    const archives = Array.from({ length: 400 }, (_, n) => ({
      ...one,
      id: `${n}`,
      name: `made-${n}`,
      start: new Date(Date.now() - (399 - n) * day).toISOString(),
      added_size: (n * 7) % 400,
      ...(n % 3 === 0 ? { schedule_id: 7, made_by: 'schedule', kept_by: null } : {}),
    }));
    const jobs = [{ id: 7, name: 'Every evening', enabled: true, retention: 'prunes', retention_paused: [] }];
    const page = await console.visit('/');
    await page.route(/\/api\/archives\/list/, (route) =>
      route.fulfill({ json: { ...body, archives, next_before: null } }),
    );
    await page.route('**/api/schedule/', (route) => route.fulfill({ json: { success: true, jobs } }));
    await page.setViewportSize({ width: 1440, height: 900 });
    await console.visit('/repositories/1/archives');
    await page.getByText('pruned next').first().waitFor();
    const links = page.getByRole('table', { name: 'Archives' }).getByRole('link');
    await links.first().waitFor();
    const seen = await links.evaluateAll(
      (all) => all.filter((link) => link.getBoundingClientRect().bottom < innerHeight).length,
    );
    expect(seen).toBeGreaterThanOrEqual(14);
    expect(await links.count()).toBeLessThan(60);
    await page.getByRole('button', { name: 'Added' }).click();
    await page.locator('[role=columnheader][aria-sort=descending]', { hasText: 'Added' }).waitFor();
    await expect.poll(() => links.first().getAttribute('aria-label')).toMatch(/made-57$/);
    const calendar = page.getByRole('region', { name: 'Archives by day' });
    await calendar
      .getByRole('button', { name: /: 1 archive$/ })
      .last()
      .click();
    await expect.poll(() => links.count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('day')).toMatch(/^\d{4}-\d\d-\d\d$/);
    await page.unrouteAll();
  });

  test('shows running, waiting and failed jobs, and runs a failed one again', async () => {
    const moving = await WebConsole.open(server, { reducedMotion: false });
    await moving.signIn();
    const { page } = moving;
    const { job } = (await api.get('/api/jobs/1')).body;
    const waiting = { status: 'pending', completed_at: null, waiting_for: 'a free job slot (limit: 2)' };
    const pending = [31, 32, 33, 34].map((id) => ({ ...job, ...waiting, id }));
    const running = { ...job, id: 30, kind: 'check', about: { check_type: 'repair' } };
    Object.assign(running, { status: 'running', progress: 0, completed_at: null });
    const failed = { ...job, id: 29, status: 'failed', error_message: 'The disk is gone.' };
    const older = { ...failed, id: 28, error_message: 'The disk was gone.' };
    const asked: string[] = [];
    await page.route(/\/api\/jobs(\?.*)?$/, (route) => {
      const status = new URL(route.request().url()).searchParams.get('status') ?? '';
      asked.push(status);
      const jobs = { running: [running], pending }[status] ?? [failed, older];
      return route.fulfill({ json: { success: true, jobs, next_before: 28 } });
    });
    await moving.visit('/activity');
    const lists = page.locator('main [role=table]');
    await expect
      .poll(() => lists.evaluateAll((all) => all.map((list) => list.getAttribute('aria-label'))))
      .toEqual(['1 running', '4 waiting', 'Ended']);
    const first = lists.first();
    await first.getByText('Repair of anna').waitFor();
    expect(
      await first
        .getByRole('progressbar')
        .evaluate((bar) => [bar.matches(':indeterminate'), document.getAnimations().length]),
    ).toEqual([true, 1]);
    await page.getByText('4 × Waiting for a free job slot (limit: 2)').waitFor();
    expect(await lists.nth(1).getByRole('link').count()).toBe(3);
    await page.getByRole('button', { name: 'Show all 4 waiting jobs' }).click();
    expect(await lists.nth(1).getByRole('link').count()).toBe(4);
    await page.getByRole('img', { name: /until now\. Jobs: 7, repositories: 1\.$/ }).waitFor();
    expect(new Set(asked).size).toBe(3);

    const started = page.waitForRequest('**/api/backup/start');
    await page.route('**/api/backup/start', (route) =>
      route.fulfill({ json: { success: true, job_id: 35 } }),
    );
    await lists.nth(2).getByText('The disk is gone.').waitFor();
    // Of the last attempt only.
    expect(await page.getByRole('button', { name: 'Run again' }).count()).toBe(0);
    pending.length = 0;
    await page.reload();
    await page.getByRole('button', { name: 'Run again: Backup of anna' }).click();
    expect((await started).postDataJSON()).toEqual({ repository_id: job.repository_id });
    expect(moving.violations).toEqual([]);
    await page.route('**/health/ready', (route) => route.abort());
    await page.evaluate(() => dispatchEvent(new Event('offline')));
    await page.getByRole('img', { name: /until \d\d:\d\d\. Jobs: 3/ }).waitFor();
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    await moving.close();
  });

  test('shows the speed of a running job and the result of an ended one', async () => {
    const { job } = (await api.get('/api/jobs/1')).body;
    const page = await console.visit('/');
    let asked = 0;
    let more: object = { status: 'running', progress: 0, completed_at: null, seconds: null };
    await page.route('**/api/jobs/1', (route) => {
      asked += 1;
      const sizes = {
        compressed_size: 4_000_000,
        deduplicated_size: 1_000_000 * Math.min(3, asked),
        speed: asked,
      };
      const progress_details = { ...job.progress_details, ...sizes, current_file: '/home/diary' };
      return route.fulfill({ json: { success: true, job: { ...job, progress_details, ...more } } });
    });
    await console.visit('/activity/1');
    await page.getByText('/home/diary').waitFor();
    await page.getByRole('img', { name: '1 MB new, 3 MB already in the repository (compressed)' }).waitFor();
    const chart = page.getByRole('img', { name: /on average over 30 s/ });
    expect(await chart.count()).toBe(0);
    // Its events let the page read again.
    const check = (await api.post('/api/repositories/1/check')).body.job_id;
    await chart.waitFor();
    const ended = async () => (await api.get(`/api/jobs/${check}`)).body.job.completed_at;
    await expect.poll(ended, { timeout: 60_000 }).not.toBeNull();

    more = { progress_details: { ...job.progress_details, nfiles: 1411, original_size: 2_300_000_000 } };
    await page.reload();
    await page.getByText(/^1,411 files, 2\.3 GB; .+ new\.$/).waitFor();
    await page.getByRole('link', { name: 'No next run is scheduled' }).waitFor();
    const restore = page.getByRole('link', { name: 'Restore one file to be sure' });
    expect(await restore.getAttribute('href')).toBe(
      `/repositories/1/browse/${encodeURIComponent(job.about.archive)}`,
    );

    more = { status: 'failed', error_message: 'None of them exists.', error_code: 'sources_absent' };
    await console.visit('/activity/1');
    await page.getByText('None of them exists.').waitFor();
    await page.getByRole('button', { name: 'Run again: Backup of anna' }).waitFor();
    await page.getByRole('link', { name: 'Change source directories' }).click();
    await page.waitForURL('**/repositories/1/settings');
    await page.unroute('**/api/jobs/1');
  });

  test('shows a log in the time zone of the page', async () => {
    const page = await console.visit('/activity/1');
    const { started_at } = (await api.get('/api/jobs/1')).body.job;
    const local = new Date(started_at).toLocaleString('sv', { timeZone: 'Europe/Berlin' }).slice(0, 13);
    await expect.poll(() => page.getByRole('group', { name: 'Log' }).textContent()).toContain(local);
    await page.getByText(/times in Europe\/Berlin/).waitFor();
  });

  test('accepts the URL of a webhook as it was copied', async () => {
    const page = await console.visit('/settings/notifications/new');
    await page.getByLabel('Service').selectOption({ label: 'Webhook (JSON)' });
    await page.getByLabel('URL', { exact: true }).fill('https://hooks.example.org//backup/a?b=c');
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/notifications/test'));
    await page.route('**/api/notifications/test', (route) =>
      route.fulfill({ json: { success: true, message: 'taken' } }),
    );
    await page.getByRole('button', { name: 'Send a test message' }).click();
    expect((await sent).postDataJSON()).toEqual({ service_url: 'jsons://hooks.example.org/backup/a?b=c' });
  });

  test('searches a file in all repositories once, without surrounding spaces', async () => {
    const page = await console.visit('/');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/api\/archives\/(search|list)/.test(request.url()) && request.url().includes('query'))
        asked.push(request.url());
    });
    await console.visit('/restore?find=diary');
    await page.getByRole('heading', { name: /found so far|match/ }).waitFor();
    expect(asked).toHaveLength(1);
    const blank = await page
      .locator('main section')
      .first()
      .evaluate((card) => [...card.children].filter(({ childNodes }) => childNodes.length === 0).length);
    expect(blank).toBe(0);
  });

  test('shows the progress of the versions of a file', async () => {
    const page = await console.visit(`/repositories/1/history?path=${source.slice(1)}/diary`);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/contents?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Find all versions' }).click();
    await page.getByText(/archive 1 of [23]/).waitFor();
    release();
    await expect
      .poll(() => page.getByRole('table', { name: 'Versions' }).getByRole('rowheader').count(), {
        timeout: 120_000,
      })
      .toBe(2);
    await page.unroute('**/contents?*');
  });

  test('compares archives as a tree of folders with totals', async () => {
    const page = await console.visit('/repositories/1/compare?from=day-3&to=day-2');
    const start = page.getByRole('button', { name: 'Compare them' });
    const folder = page.locator('main summary').filter({ hasText: source.slice(1) });
    await start.or(folder).first().waitFor();
    if (await start.isVisible()) await start.click();
    // Other content of the same length: the lists do not tell.
    await folder.filter({ hasText: '1 same size, other time' }).waitFor();
    const file = page.getByRole('link', { name: 'diary Same size, other time' });
    await file.waitFor();
    await folder.press('Enter');
    await file.waitFor({ state: 'hidden' });
  });

  test('causes no layout while a long folder scrolls', async () => {
    const page = await console.context.newPage();
    console.watch(page);
    // After a layout, asking for it costs nothing.
    await page.addInitScript(() => {
      const Original = ResizeObserver;
      globalThis.ResizeObserver = class extends Original {
        constructor(callback: ResizeObserverCallback) {
          super((...given) => {
            Object.assign(globalThis, { isLaidOut: true });
            callback(...given);
            Object.assign(globalThis, { isLaidOut: false });
          });
        }
      };
    });
    await page.goto(`${console.url}/repositories/1/browse/day-2/${source.slice(1)}`);
    const read = page.getByRole('button', { name: 'Read it' });
    const row = page.getByRole('row').nth(3);
    await read.or(row).first().waitFor();
    if (await read.isVisible()) await read.click();
    await row.waitFor();
    const measured = await page.evaluate(async () => {
      const original = Element.prototype.getBoundingClientRect;
      const frame = () => new Promise(requestAnimationFrame);
      let count = 0;
      await frame();
      Element.prototype.getBoundingClientRect = function measure() {
        if (!(globalThis as { isLaidOut?: boolean }).isLaidOut) count += 1;
        return original.call(this);
      };
      for (let step = 0; step < 40; step += 1) {
        scrollBy({ top: 300, behavior: 'instant' });
        await frame();
        await frame();
      }
      Element.prototype.getBoundingClientRect = original;
      const first = document.querySelector<HTMLElement>('main [data-index]')?.dataset.index;
      return [count, `${first} ${scrollY}`];
    });
    expect(measured).toEqual([0, expect.stringMatching(/^[1-9]\d\d /)]);
    await page.close();
  });

  test('keeps the next step of the wizard visible and labels below the bar', async () => {
    const page = await console.visit('/add');
    await page.setViewportSize({ width: 1440, height: 520 });
    const box = await page.getByRole('button', { name: 'Next' }).boundingBox();
    expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThanOrEqual(520);
    await console.visit('/repositories/1/settings');
    const label = await page.getByLabel('Name', { exact: true }).evaluate((input) => {
      input.scrollIntoView({ block: 'start', behavior: 'instant' });
      return input.closest('div')?.querySelector('label')?.getBoundingClientRect().top ?? 0;
    });
    expect(label).toBeGreaterThanOrEqual(56);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('shows actions with their objects in the audit trail, without page loads', async () => {
    const page = await console.visit('/settings/audit');
    await page.getByText('Repository imported: anna').waitFor();
    const all = (await api.get('/api/audit?limit=100')).body.entries as { action: string }[];
    expect(all.map(({ action }) => action)).not.toContain('authSessionRefresh');
    expect(await page.getByText('docker').count()).toBe(0);
  });

  test('finds settings pages by keys and offers the other themes', async () => {
    const page = await console.visit('/');
    await openAndType(page, 'incid');
    await page.getByRole('option', { name: /Incidents/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    const menu = page.getByRole('button', { name: 'Account of admin' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Dark theme' }).click();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Light theme' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Dark theme' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'System theme' }).click();
  });

  test('shows the losses of a borgmatic import at once', async () => {
    const page = await console.visit('/settings/moving-in/borgmatic');
    await page.getByText('Or paste one', { exact: true }).first().click();
    const text = [
      `repositories: [{path: ${at('anna')}}]`,
      ...[`source_directories: [${source}]`, 'influxdb_databases: [{name: shop}]', ''],
    ].join('\n');
    await page.getByRole('textbox', { name: 'Or paste one' }).fill(text);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('influxdb_databases', { exact: true }).waitFor();
  });

  test('imports only the previewed file if a preview arrives late', async () => {
    const page = await console.visit('/settings/moving-in/borgmatic');
    await page.getByText('Or paste one', { exact: true }).first().click();
    const field = page.getByRole('textbox', { name: 'Or paste one' });
    const asked = new Promise<Route>((resolve) => void page.route('**/api/import/borgmatic', resolve));
    await field.fill(`repositories: [{path: ${at('anna')}}]\nsource_directories: [${source}]\n`);
    await page.getByRole('button', { name: 'Preview' }).click();
    const route = await asked;
    await field.fill(`repositories: [{path: ${at('other')}}]\nsource_directories: [${source}]\n`);
    const answered = page.waitForResponse('**/api/import/borgmatic');
    await route.continue();
    await answered;
    await page.unroute('**/api/import/borgmatic');
    await page.getByRole('button', { name: 'Preview' }).and(page.locator(':enabled')).waitFor();
    expect(await page.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0);
  });
});

async function openAndType(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type(text);
}
