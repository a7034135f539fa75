import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRepository, password, peakMemory, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median, megabytes, milliseconds, percentile } from '../statistics.mjs';

const streamsOfUser = 10;
const eventsPerSecond = 100;
const limits = { delayMs: 250, memory: 60e6 };

/** Many readers of the event stream: when the last of them has an event, and the memory that they take. */
export async function events({ folder, say }) {
  const dataDirectory = join(folder, 'events-data');
  mkdirSync(dataDirectory);
  const service = await startService(dataDirectory);
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  try {
    const api = await signIn(service.url);
    const schedule = await makeSchedule(api, dataDirectory);
    const tokens = await makeUsers(api, service.url);
    // What signing in and the first events take is not theirs.
    await happen(api, schedule, 3);
    await pause(2_000);
    const idle = service.memory();
    const seen = new Map();
    let stop;
    const work = (async () => {
      const readers = await Promise.all(
        Array.from({ length: settings.readers }, (_, n) =>
          openReader({ url: service.url, agent, token: tokens[n % tokens.length], seen }),
        ),
      );
      stop = () => {
        for (const reader of readers) reader.destroy();
      };
      await happen(api, schedule, settings.eventSeconds);
      await pause(1_000);
    })();
    const peak = await peakMemory(service, work);
    stop();
    return report({ seen, grown: peak - idle, say });
  } finally {
    agent.destroy();
    await service.stop();
  }
}

function report({ seen, grown, say }) {
  const all = [...seen.values()];
  const complete = all.filter(({ readers }) => readers === settings.readers);
  const delays = complete.map(({ at, last }) => last - at);
  say(
    `${all.length} events, ${complete.length} of them at all ${settings.readers} readers; the last reader had them ` +
      `after ${milliseconds(median(delays))} (median), ${milliseconds(Math.max(...delays))} at most`,
  );
  const what = `${settings.readers} readers of the event stream at ${eventsPerSecond} events a second`;
  const slow = percentile(delays, 0.99);
  return [
    {
      what: `${what}: delay at the last reader, p99`,
      measured: milliseconds(slow),
      limit: milliseconds(limits.delayMs),
      passed: slow <= limits.delayMs && complete.length === all.length,
    },
    {
      what: `${what}: resident memory above idle`,
      measured: megabytes(grown),
      limit: megabytes(limits.memory),
      passed: grown <= limits.memory,
    },
  ];
}

/** Each call is one event; they are spread evenly, whatever time a call takes. */
async function happen(api, schedule, seconds) {
  const calls = [];
  for (let n = 0; n < seconds * eventsPerSecond; n++) {
    calls.push(api.post(`/api/schedule/${schedule}/toggle`, {}));
    const began = calls.began ?? performance.now();
    calls.began = began;
    const due = began + ((n + 1) * 1000) / eventsPerSecond - performance.now();
    if (due > 0) await pause(due);
  }
  await Promise.all(calls);
}

async function openReader({ url, agent, token, seen }) {
  const request = get(`${url}/api/events`, { agent, headers: { authorization: `Bearer ${token}` } });
  const [answer] = await once(request, 'response');
  if (answer.statusCode !== 200) throw new Error(`GET /api/events: ${answer.statusCode}`);
  let rest = '';
  answer.setEncoding('utf8').on('data', (text) => {
    const now = Date.now();
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const [, id, at] = /^id: (\d+)\nevent: schedule_changed\n.*?"at":"([^"]+)"/.exec(block) ?? [];
      if (id === undefined) continue;
      const event = seen.get(id) ?? { at: Date.parse(at), readers: 0, last: 0 };
      seen.set(id, { ...event, readers: event.readers + 1, last: now });
    }
  });
  answer.on('error', () => {});
  await once(answer, 'data');
  return request;
}

async function makeSchedule(api, dataDirectory) {
  const [path, source] = ['repository', 'source'].map((name) => join(dataDirectory, name));
  mkdirSync(source);
  writeFileSync(join(source, 'file'), 'content');
  await createRepository(api, { name: 'r1', path, source });
  const schedule = { name: 's1', repository_id: 1, cron_expression: '0 0 1 1 *' };
  return (await api.post('/api/schedule/', schedule)).job.id;
}

/** The token of each user, of as many as may open all streams. */
async function makeUsers(api, url) {
  const tokens = [];
  for (let n = 0; n < settings.readers / streamsOfUser; n++) {
    const username = `reader-${n}`;
    await api.post('/api/auth/users', { username, password });
    const form = new URLSearchParams({ username, password });
    const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', body: form });
    tokens.push((await answer.json()).access_token);
  }
  return tokens;
}
