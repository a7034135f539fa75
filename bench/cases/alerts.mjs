import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startFleet } from '../fleet.mjs';
import { idleShares } from '../idle.mjs';
import { password, signIn } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median, seconds } from '../statistics.mjs';

const schedules = 1_000;
const streams = 50;
const streamsOfUser = 10;
const archivesEach = 30;
const lateOnes = 20;
const hourMs = 3_600_000;
const patienceMs = 120_000;

/** What watching costs while nothing happens, and how soon a repository that becomes late is told. */
export async function alerts({ folder, say }) {
  const own = mkdtempSync(join(folder, 'alerts-'));
  const { repositories } = settings;
  const sink = await openSink();
  const fleet = await startFleet({
    folder: own,
    schedules,
    instances: 1,
    repositories,
    prepare: addArchives,
  });
  const [service] = fleet.services;
  const api = await signIn(service.url);
  await api.post('/api/notifications', { name: 'bench', service_url: `json://127.0.0.1:${sink.port}/hook` });
  const close = await openStreams(service, api);
  const [idle] = await idleShares(fleet.services);
  const times = await tellLate(fleet.database, sink);
  close();
  const health = await timeOf(`${service.url}/health/protection`);
  await fleet.stop();
  sink.close();
  const what = `${repositories} repositories with ${archivesEach} archives, ${schedules} schedules`;
  say(
    `late repositories: noticed after ${seconds(median(times.noticed))}, told after ${seconds(median(times.told))} (medians)`,
  );
  say(`GET /health/protection, not cached: ${seconds(health)}`);
  return [
    {
      what: `idle use of a core: ${what}, ${streams} event streams`,
      measured: `${(idle * 100).toFixed(1)} %`,
      limit: '3.0 %',
      passed: idle <= 0.03,
    },
    row(`a late repository was noticed after at most: ${what}`, Math.max(...times.noticed), 60_000),
    row(`and its message was delivered after at most`, Math.max(...times.told), 5_000),
  ];
}

const row = (what, ms, limit) => ({
  what,
  measured: seconds(ms),
  limit: seconds(limit),
  passed: ms <= limit,
});

async function addArchives(database) {
  const now = Date.now();
  const archive = {
    ...{ repository_id: 1, tool_id: 'a', name: 'a', hostname: 'h', username: 'u', comment: '' },
    ...{ start: now, end: now, seen_at: now, partial: 0, damaged: 0 },
  };
  const names = Object.keys(archive);
  await database.all(
    `INSERT INTO archive (${names.map((name) => `"${name}"`)}) VALUES (${names.map(() => '?')})`,
    ...Object.values(archive),
  );
  await database.multiply('archive', archivesEach * settings.repositories, {
    ...{ repository_id: `1 + n % ${settings.repositories}`, name: "'a' || n", tool_id: "'a' || n" },
    start: `"start" - (n / ${settings.repositories}) * ${24 * hourMs}`,
  });
  await database.all('UPDATE repository SET freshness_hours = 26, inventory_at = ?', now);
}

async function openStreams(service, api) {
  const leaving = new AbortController();
  for (let user = 0; user < streams / streamsOfUser; user++) {
    const username = `reader${user}`;
    await api.post('/api/auth/users', { username, password, email: `${username}@example.org` });
    const form = new URLSearchParams({ username, password });
    const login = await fetch(`${service.url}/api/auth/login`, { method: 'POST', body: form });
    const { access_token } = await login.json();
    for (let n = 0; n < streamsOfUser; n++) {
      const headers = { authorization: `Bearer ${access_token}` };
      const answer = await fetch(`${service.url}/api/events`, { headers, signal: leaving.signal });
      if (answer.status !== 200) throw new Error(`a stream answered ${answer.status} ${await answer.text()}`);
      answer.body.pipeTo(new WritableStream()).catch(() => {});
    }
  }
  return () => leaving.abort();
}

/** Lets some repositories become late, one each second. Resolves to the times in ms. */
async function tellLate(database, sink) {
  const first = Date.now() + 10_000;
  const start = `${first - 26 * hourMs} + repository_id * 1000`;
  await database.all(
    `DELETE FROM archive WHERE repository_id <= ${lateOnes} AND start < (SELECT MAX(start) FROM archive a WHERE a.repository_id = archive.repository_id)`,
  );
  await database.all(
    `UPDATE archive SET start = ${start}, "end" = ${start} WHERE repository_id <= ${lateOnes}`,
  );
  await database.all('UPDATE duty SET due_at = 0');
  const deadline = Date.now() + patienceMs;
  while (sink.told.size < lateOnes) {
    if (Date.now() > deadline) throw new Error(`only ${sink.told.size} of ${lateOnes} were told`);
    await pause(100);
  }
  const rows = await database.all("SELECT id, since, opened_at FROM incident WHERE cause = 'late'");
  return {
    noticed: rows.map(({ since, opened_at }) => opened_at - since),
    told: rows.map(({ id, opened_at }) => sink.told.get(id) - opened_at),
  };
}

async function openSink() {
  const told = new Map();
  const server = createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    req.on('end', () => {
      const { event, data } = JSON.parse(text);
      if (event === 'backup_late') told.set(data.incident_id, Date.now());
      res.end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { told, port: server.address().port, close: () => server.close() };
}

async function timeOf(url) {
  await pause(6_000);
  const began = performance.now();
  await (await fetch(url)).text();
  return performance.now() - began;
}
