import type { StorageBackend } from '@holdfast/plugin-api';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FencedRow } from '../../src/engine/jobs/job-lease.js';
import { JobLogWriter, jobLogLimits } from '../../src/engine/jobs/job-log.js';
import { readJobLog, streamJobLog } from '../../src/engine/jobs/job-log-reader.js';
import { jobLogs, jobs } from '../../src/engine/jobs/tables.js';
import { faultyStorage } from '../fakes/faulty-storage.js';
import { manualClock } from '../fakes/manual-clock.js';
import { plainRedactor } from '../fakes/plain-redactor.js';
import { silentLog } from '../fakes/silent-log.js';
import { jobRow, memoryStorage } from './engine-world.js';

const clock = manualClock(Date.UTC(2030, 0, 1));
const head = '2030-01-01T00:00:00.000Z INFO ';
const jobId = 1;

let storage: StorageBackend;
let redactor: ReturnType<typeof plainRedactor>;

beforeEach(async () => {
  storage = memoryStorage();
  redactor = plainRedactor();
  await storage.insert(jobs, {
    kind: 'backup',
    status: 'running',
    repository_path: '/r',
    repository_name: 'r',
    requested_by: 'alice',
    requested_at: 0,
    parameters: {},
    progress: {} as never,
    fence: 1,
  });
});

async function writer(on: StorageBackend = storage) {
  const row = new FencedRow(on, { id: jobId, fence: 1 }, () => undefined);
  const job = await jobRow(storage, jobId);
  return new JobLogWriter({ storage: on, row, redactor, clock, log: silentLog(), every: 1_000 }, job);
}

const say = (log: JobLogWriter, text: string) => log.add({ level: 'info', text });

async function whole(): Promise<string> {
  let text = '';
  for await (const piece of streamJobLog(storage, jobId)) text += piece;
  return text;
}

describe('the log of a job', () => {
  it('gives lines by number, page by page, with time and level', async () => {
    const log = await writer();
    for (let number = 1; number <= 1_234; number += 1) say(log, `line ${number}`);
    await log.flush();
    const seen = [];
    let offset = 0;
    for (;;) {
      const page = await readJobLog(storage, jobId, { offset, limit: 100 });
      seen.push(...page.lines);
      expect(page.total_lines).toBe(1_234);
      if (!page.has_more) break;
      offset = page.lines.at(-1)?.line_number ?? 0;
    }
    expect(seen).toEqual(
      Array.from({ length: 1_234 }, (_, index) => ({
        line_number: index + 1,
        content: `${head}line ${index + 1}`,
      })),
    );
    expect((await whole()).split('\n')).toHaveLength(1_235);
  });

  it('is an empty page without lines, without a job and past its end', async () => {
    const empty = { lines: [], total_lines: 0, has_more: false };
    expect(await readJobLog(storage, jobId, { offset: 0, limit: 10 })).toEqual(empty);
    expect(await readJobLog(storage, 77, { offset: 0, limit: 10 })).toEqual(empty);
    const log = await writer();
    say(log, 'one');
    await log.flush();
    const past = await readJobLog(storage, jobId, { offset: 1, limit: 10 });
    expect(past).toEqual({ lines: [], total_lines: 1, has_more: false });
  });

  it('keeps head and tail of a long log and notes the omission', async () => {
    const log = await writer();
    const count = 30_000;
    for (let number = 1; number <= count; number += 1) {
      say(log, `line ${number}`);
      if (number % 700 === 0) await log.flush();
    }
    await log.flush();
    const text = (await whole()).trimEnd().split('\n');
    const gap = text.findIndex((line) => line.startsWith('[…'));
    expect(gap).toBe(jobLogLimits.headLines);
    const tail = text.slice(gap + 1);
    expect(text[gap]).toBe(`[… ${count - jobLogLimits.headLines - tail.length} lines left out …]`);
    expect(tail.length).toBeGreaterThanOrEqual(jobLogLimits.tailLines);
    expect(tail.length).toBeLessThan(jobLogLimits.tailLines + jobLogLimits.chunkLines);
    expect(tail.at(-1)).toBe(`${head}line ${count}`);

    const across = await readJobLog(storage, jobId, { offset: jobLogLimits.headLines - 1, limit: 3 });
    const firstOfTail = count - tail.length + 1;
    expect(across.lines.map(({ line_number }) => line_number)).toEqual([2_000, firstOfTail - 1, firstOfTail]);
    expect(across.lines[2]?.content).toBe(`${head}line ${firstOfTail}`);
    expect(across).toMatchObject({ total_lines: count, has_more: true });
  });

  it('is written in time while more lines keep coming', async () => {
    vi.useFakeTimers();
    try {
      const log = await writer();
      for (const text of ['first', 'second', 'third']) {
        say(log, text);
        await vi.advanceTimersByTimeAsync(600);
      }
      expect(await whole()).toContain('second');
      log.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('is bounded in bytes too', async () => {
    const log = await writer();
    for (let number = 1; number <= 4_000; number += 1) {
      say(log, 'x'.repeat(4_000));
      if (number % 100 === 0) await log.flush();
    }
    await log.flush();
    const bytes = (await storage.find(jobLogs)).reduce((sum, { content }) => sum + content.length, 0);
    const most = jobLogLimits.headBytes + jobLogLimits.tailBytes + 2 * jobLogLimits.chunkBytes;
    expect(bytes).toBeLessThan(most);
    expect(bytes).toBeGreaterThan(jobLogLimits.tailBytes);
  });

  it('limits its memory while the storage is away and continues afterwards', async () => {
    const view = faultyStorage(storage);
    const log = await writer(view);
    view.become('down');
    for (let number = 1; number <= 3_000; number += 1) say(log, `${number} ${'x'.repeat(4_000)}`);
    await expect(log.flush()).rejects.toMatchObject({ kind: 'unavailable' });
    view.become('well');
    await log.flush();
    const { lines } = await readJobLog(storage, jobId, { offset: 2_999, limit: 10 });
    expect(lines[0]?.content).toMatch(/INFO 3000 x/);
    expect((await whole()).split('\n')[0]).toMatch(/lines left out/);
    log.close();
  });

  it('hides secrets, cuts long lines and splits texts', async () => {
    const log = await writer();
    redactor.protect('geheim');
    say(log, 'the passphrase is geheim\nsecond\r\nthird\n');
    say(log, 'ü'.repeat(5_000));
    say(log, `nul \0, escape \x1b[0m, name \udcff`);
    await log.flush();
    const { lines } = await readJobLog(storage, jobId, { offset: 0, limit: 10 });
    const [first, second, third, long, odd] = lines.map(({ content }) => content.slice(head.length));
    expect([first, second, third]).toEqual(['the passphrase is ***', 'second', 'third']);
    expect(Buffer.byteLength(head + long)).toBeLessThanOrEqual(4_096);
    expect(long).toMatch(/^ü+…$/);
    expect(odd).toBe('nul \\x00, escape \\x1b[0m, name \\udcff');
  });

  it('continues numbering after a takeover and writes nothing with an old fence', async () => {
    const first = await writer();
    say(first, 'one');
    await first.flush();
    await storage.update(jobs, { id: jobId }, { fence: 2 });
    say(first, 'lost');
    await first.flush();
    const row = new FencedRow(storage, { id: jobId, fence: 2 }, () => undefined);
    const parts = { storage, row, redactor, clock, log: silentLog(), every: 1_000 };
    const second = new JobLogWriter(parts, await jobRow(storage, jobId));
    say(second, 'two');
    await second.flush();
    expect(await whole()).toBe(`${head}one\n${head}two\n`);
  });
});
