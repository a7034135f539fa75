import { withinTime } from '@holdfast/core/server';
import type { PluginKind } from '@holdfast/plugin-api';
import type { ConformanceCase } from '@holdfast/testkit';

/** Cases of these suites bear company, and spend their time waiting. */
const atOnce: Partial<Record<PluginKind, number>> = { notify: 8, jobs: 8 };

interface Run {
  kind: PluginKind;
  timeoutMs: number;
  json: boolean;
  /** What was thrown meanwhile where no case could catch it. */
  uncaught: readonly Error[];
}

interface Verdict {
  name: string;
  passed: boolean;
  /** There is nothing that it could be tried on. */
  left_out: boolean;
  reason: string | null;
}

/** Runs all and tells of each; the number of those that failed. */
export async function runCases(
  cases: ConformanceCase[],
  { kind, timeoutMs, json, uncaught }: Run,
): Promise<number> {
  const verdicts: Verdict[] = [];
  const tell = (verdict: Verdict) => {
    verdicts.push(verdict);
    if (!json) say(verdict);
  };
  const waiting = [...cases];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      tell(await tried(next, timeoutMs));
    }
  };
  await Promise.all(Array.from({ length: atOnce[kind] ?? 1 }, work));
  for (const { message } of uncaught) {
    tell({ ...failedFor(message), name: 'throws nothing where nobody can catch it' });
  }
  const passed = verdicts.filter((verdict) => verdict.passed).length;
  const left_out = verdicts.filter((verdict) => verdict.left_out).length;
  const failed = verdicts.length - passed - left_out;
  if (json) console.log(JSON.stringify({ passed, failed, left_out, cases: verdicts }, null, 2));
  else console.log(`${passed} passed, ${failed} failed${left_out > 0 ? `, ${left_out} left out` : ''}`);
  return failed;
}

async function tried({ name, run }: ConformanceCase, timeoutMs: number): Promise<Verdict> {
  const late = () => new Error(`it did not end within ${timeoutMs / 1000} s`);
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

function say({ name, passed, left_out, reason }: Verdict): void {
  const lines = (reason ?? '').split('\n').filter((line) => line.trim() !== '');
  const verdict = passed ? 'passed' : left_out ? 'left out' : 'failed';
  console.log(`${verdict}  ${name}${passed ? '' : `: ${lines.join(' ')}`}`);
}
