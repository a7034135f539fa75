import { withinTime } from '@holdfast/core/server';
import type { PluginKind } from '@holdfast/plugin-api';
import type { ConformanceCase } from '@holdfast/testkit';

/** Cases of these suites are independent and mostly wait, so they run concurrently. */
const concurrency: Partial<Record<PluginKind, number>> = { notify: 8, jobs: 8 };

interface Run {
  kind: PluginKind;
  timeoutMs: number;
  json: boolean;
  /** Errors that were thrown during the run and that no case could catch. */
  uncaught: readonly Error[];
}

interface Verdict {
  name: string;
  passed: boolean;
  /** The case does not apply to this plugin. */
  left_out: boolean;
  reason: string | null;
}

/** Runs all cases and reports each. Returns the number of failed cases. */
export async function runCases(
  cases: ConformanceCase[],
  { kind, timeoutMs, json, uncaught }: Run,
): Promise<number> {
  const verdicts: Verdict[] = [];
  const report = (verdict: Verdict) => {
    verdicts.push(verdict);
    if (!json) print(verdict);
  };
  const waiting = [...cases];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      report(await runCase(next, timeoutMs));
    }
  };
  await Promise.all(Array.from({ length: concurrency[kind] ?? 1 }, work));
  for (const { message } of uncaught) {
    report({ ...failedFor(message), name: 'throws no uncaught errors' });
  }
  const passed = verdicts.filter((verdict) => verdict.passed).length;
  const left_out = verdicts.filter((verdict) => verdict.left_out).length;
  const failed = verdicts.length - passed - left_out;
  if (json) console.log(JSON.stringify({ passed, failed, left_out, cases: verdicts }, null, 2));
  else console.log(`${passed} passed, ${failed} failed${left_out > 0 ? `, ${left_out} skipped` : ''}`);
  return failed;
}

async function runCase({ name, run }: ConformanceCase, timeoutMs: number): Promise<Verdict> {
  const late = () => new Error(`timed out after ${timeoutMs / 1000} s`);
  let reason: string | null = null;
  const skip = (why: string) => {
    reason = why;
  };
  try {
    await withinTime(timeoutMs, () => run({ skip }), late);
    return { name, passed: reason === null, left_out: reason !== null, reason };
  } catch (error) {
    return { ...failedFor(error instanceof Error ? error.message : String(error)), name };
  }
}

const failedFor = (reason: string) => ({ passed: false, left_out: false, reason });

function print({ name, passed, left_out, reason }: Verdict): void {
  const lines = (reason ?? '').split('\n').filter((line) => line.trim() !== '');
  const verdict = passed ? 'passed' : left_out ? 'skipped' : 'failed';
  console.log(`${verdict}  ${name}${passed ? '' : `: ${lines.join(' ')}`}`);
}
