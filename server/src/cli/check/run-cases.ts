import type { ConformanceCase } from '@holdfast/core/conformance';
import { type PluginKind, withinTime } from '@holdfast/core/server';

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
    tell({ name: 'throws nothing where nobody can catch it', passed: false, reason: message });
  }
  const failed = verdicts.filter(({ passed }) => !passed).length;
  const passed = verdicts.length - failed;
  if (json) console.log(JSON.stringify({ passed, failed, cases: verdicts }, null, 2));
  else console.log(`${passed} passed, ${failed} failed`);
  return failed;
}

async function tried({ name, run }: ConformanceCase, timeoutMs: number): Promise<Verdict> {
  const late = () => new Error(`it did not end within ${timeoutMs / 1000} s`);
  try {
    await withinTime(timeoutMs, run, late);
    return { name, passed: true, reason: null };
  } catch (error) {
    return { name, passed: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

function say({ name, passed, reason }: Verdict): void {
  const lines = (reason ?? '').split('\n').filter((line) => line.trim() !== '');
  console.log(`${passed ? 'passed' : 'failed'}  ${name}${passed ? '' : `: ${lines.join(' ')}`}`);
}
