import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchedHost } from '../../src/backup/backups/pull/stall-watch.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** `Promise.withResolvers` of later Node.js. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((one, other) => {
    [resolve, reject] = [one, other];
  });
  return { promise, resolve, reject };
}

const seconds = 100;
const turn = () => new Promise((resolve) => setImmediate(resolve));
const pass = async (more: number) => {
  await vi.advanceTimersByTimeAsync(more * 1000);
  await turn();
};

/** A command of a host that says what it is told to. */
async function started() {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const exit = withResolvers<{ code: number | null; signal: string | null }>();
  const host = watchedHost(
    {
      name: 'mira@nas',
      toolPath: null,
      run: async (_command, { signal }) => {
        signal?.addEventListener('abort', () => {
          for (const stream of [stdout, stderr]) stream.end();
          exit.reject(new Error('the connection was closed'));
        });
        return { stdin, stdout, stderr, exit: exit.promise };
      },
    },
    seconds,
  );
  const process = await host.run(['tar'], {});
  let end = 'runs';
  process.exit.then(
    ({ code }) => {
      end = `ended with ${code}`;
    },
    ({ message }: Error) => {
      end = message;
    },
  );
  return { stdout, stderr, exit, process, end: () => end };
}

test('ends a command without output and gives the reason', async () => {
  const { process, end } = await started();
  process.stdout.resume();
  await pass(seconds - 10);
  expect(end()).toBe('runs');
  await pass(11);
  expect(end()).toMatch(/^mira@nas sent nothing for 100 s \(STALLED_PULL_SECONDS\)/);
});

test('counts data and messages as activity', async () => {
  const { process, stdout, stderr, end } = await started();
  process.stdout.resume();
  process.stderr.resume();
  for (let n = 0; n < 5; n++) {
    await pass(seconds - 10);
    (n % 2 ? stdout : stderr).write('x');
    await turn();
  }
  expect(end()).toBe('runs');
  await pass(seconds + 1);
  expect(end()).toMatch(/sent nothing/);
});

test('does not count time spent waiting for the reader', async () => {
  const { process, stdout, exit, end } = await started();
  stdout.write('x'.repeat(100));
  await turn();
  await pass(seconds * 10);
  expect(end()).toBe('runs');
  const pieces: string[] = [];
  process.stdout.on('data', (piece: Buffer) => pieces.push(String(piece)));
  stdout.end('y');
  exit.resolve({ code: 0, signal: null });
  await pass(seconds * 2);
  expect([end(), pieces.join('').length]).toEqual(['ended with 0', 101]);
});

test('does not report a cancelled command as stalled', async () => {
  const run = vi.fn((_: readonly string[], { signal }: { signal?: AbortSignal }) => {
    const refused = withResolvers<never>();
    signal?.addEventListener('abort', () => refused.reject(new Error('cancelled')));
    return refused.promise;
  });
  const cancelled = new AbortController();
  const started = watchedHost({ name: 'h', toolPath: null, run }, seconds).run(['tar'], cancelled);
  cancelled.abort();
  await expect(started).rejects.toThrow('cancelled');
  expect(vi.getTimerCount()).toBe(0);
});

test('ends a command that never starts on the host', async () => {
  const run = (_: readonly string[], { signal }: { signal?: AbortSignal }) =>
    new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('closed')));
    });
  const started = watchedHost({ name: 'h', toolPath: null, run }, seconds).run(['tar'], {});
  const refused = expect(started).rejects.toThrow(/^h sent nothing for 100 s/);
  await pass(seconds + 1);
  await refused;
});
