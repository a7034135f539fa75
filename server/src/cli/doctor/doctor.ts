import { withinTime } from '@holdfast/core/server';
import type { Finding } from '@holdfast/plugin-api';
import { type Configuration, ConfigurationError } from '../../config.js';
import { configurationOfProcess } from '../environment.js';
import { isKnown } from '../exit.js';
import { type Check, failed, ok, warning } from './check.js';
import { fileChecks } from './file-checks.js';
import { openPlugins, pluginChecks } from './plugin-checks.js';
import { programChecks } from './program-checks.js';
import { adoptService, type ServicePlace, withPortOf } from './service-place.js';

const timeoutMs = 15_000;

interface Line extends Finding {
  area: string;
}

/** Exit code 1 if a check failed, otherwise 0, even with warnings. */
export async function doctor({ json }: { json?: boolean }): Promise<number> {
  const lines: Line[] = [];
  for await (const line of examineAll()) {
    lines.push(line);
    if (!json) print(line);
  }
  const count = (status: Finding['status']) => lines.filter((line) => line.status === status).length;
  const summary = { ok: count('ok'), warnings: count('warning'), failed: count('failed') };
  if (json) console.log(JSON.stringify({ ...summary, checks: lines }, null, 2));
  else console.log(`${summary.ok} ok, ${summary.warnings} warnings, ${summary.failed} failed`);
  return summary.failed === 0 ? 0 : 1;
}

async function* examineAll(): AsyncGenerator<Line> {
  const place = await adoptService();
  const given = configurationOrFindings();
  if (Array.isArray(given)) {
    for (const finding of given) yield { area: 'configuration', ...finding };
    return;
  }
  const configuration = await withPortOf(given);
  yield { area: 'configuration', ...placeFinding(configuration, place) };
  yield* runChecks([...programChecks(configuration), ...fileChecks(configuration)]);
  const opened = await openPlugins(configuration);
  yield* runChecks(pluginChecks(opened, place));
  await opened.close();
}

/** First of all, because without the environment of the service it is another folder. */
function placeFinding({ dataDirectory }: Configuration, { why, isHidden }: ServicePlace): Finding {
  const text = `The data folder is ${dataDirectory} (${why}). All variables are valid.`;
  return isHidden ? warning(text, 'Run this as root, or as the service user.') : ok(text);
}

function configurationOrFindings(): Configuration | Finding[] {
  try {
    return configurationOfProcess();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message
      .split('\n')
      .map((line) => failed(line, 'Fix this first; nothing else can be checked until then.'));
  }
}

async function* runChecks(checks: Check[]): AsyncGenerator<Line> {
  for (const { area, run } of checks) {
    const late = () => new Error(`No response within ${timeoutMs / 1000} s.`);
    const findings = await withinTime(timeoutMs, run, late).catch(asFinding);
    for (const finding of findings) yield { area, ...finding };
  }
}

/** For unexpected errors only the code is printed, because the message may contain secrets. */
function asFinding(error: Error & { code?: string; path?: string }): Finding[] {
  if (error.code === undefined || isKnown(error as Error)) return [failed(error.message)];
  return [failed(`${error.path ?? 'It'} can't be checked (${error.code}).`)];
}

function print({ area, status, text, advice }: Line): void {
  console.log([status.padEnd(7), ` ${area}:`, text, ...(advice === undefined ? [] : [advice])].join(' '));
}
