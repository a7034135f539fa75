import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';

const drive = { answers: false, asked: [] as string[] };

vi.doMock('../src/foreign/prober.js', async (original) => {
  const { noAnswer, isSilent } = await original<typeof import('../src/foreign/prober.js')>();
  return {
    noAnswer,
    isSilent,
    Prober: class {
      retired = false;
      isIdle = true;
      end = () => {};
      gone = new Promise<void>((resolve) => {
        this.end = resolve;
      });
      kill() {
        this.end();
      }
      async ask(call: string, _args: unknown[], { path, ms }: { path: string; ms: number }) {
        drive.asked.push(call);
        if (drive.answers) return {};
        await new Promise((resolve) => setTimeout(resolve, ms));
        throw noAnswer(path);
      }
    },
  };
});

// Other files share the module, and don't want this one.
const { ask } = await import(`../src/foreign/probers.js${'?alone'}`);
const stat = (path: string) => ask(path, 'stat', [path]);
afterAll(() => vi.doUnmock('../src/foreign/prober.js'));

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(drive, { answers: false, asked: [] });
});
afterEach(() => vi.useRealTimers());

const silent = { code: 'ETIMEDOUT' };

test('probes a silent path again so that no caller waits twice', async () => {
  const first = expect(stat('/drive/folder')).rejects.toMatchObject(silent);
  await vi.advanceTimersByTimeAsync(10_000);
  await first;
  for (let minute = 0; minute < 30; minute += 1) {
    // No time passes here.
    await expect(stat('/drive/folder/file')).rejects.toMatchObject(silent);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  drive.answers = true;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(drive.asked.filter((call) => call === 'stat')).toHaveLength(1);
  await stat('/drive/folder/file');
});

test('asks all paths of a drive again when one of them answers', async () => {
  const [one, two] = ['/drive/one', '/drive/two'];
  const asked = expect(stat(one)).rejects.toMatchObject(silent);
  await vi.advanceTimersByTimeAsync(5_000);
  const later = expect(stat(two)).rejects.toMatchObject(silent);
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all([asked, later]);
  drive.answers = true;
  // The first is asked again; the second would be 5 s later.
  await vi.advanceTimersByTimeAsync(6_000);
  await stat(one);
  await stat(two);
});

test('forgets a silent path without requests', async () => {
  const first = expect(stat('/other')).rejects.toMatchObject(silent);
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  await first;
  drive.asked = [];
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(drive.asked).toEqual([]);
});
