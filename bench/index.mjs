import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { access } from './cases/access.mjs';
import { against } from './cases/against.mjs';
import { alerts } from './cases/alerts.mjs';
import { apiThroughput } from './cases/api-throughput.mjs';
import { archiveMemory } from './cases/archive-memory.mjs';
import { backupTime } from './cases/backup-time.mjs';
import { browse, manyArchives, wideFolder } from './cases/browse.mjs';
import { busyHealth } from './cases/busy-health.mjs';
import { webConsole } from './cases/console.mjs';
import { dayMemory } from './cases/day-memory.mjs';
import { deadMounts } from './cases/dead-mounts.mjs';
import { download } from './cases/download.mjs';
import { drill } from './cases/drill.mjs';
import { events } from './cases/events.mjs';
import { jobList } from './cases/job-list.mjs';
import { idleMemory, workingMemory } from './cases/memory.mjs';
import { metricsTime } from './cases/metrics-time.mjs';
import { movingIn } from './cases/moving-in.mjs';
import { overview } from './cases/overview.mjs';
import { recovery } from './cases/recovery.mjs';
import { schedules } from './cases/schedules.mjs';
import { sources } from './cases/sources.mjs';
import { start } from './cases/start.mjs';
import { signIn, startService } from './service.mjs';
import { settings } from './settings.mjs';
import { mebibytes } from './statistics.mjs';
import { makeRandomTree, makeWideTree } from './trees.mjs';

const say = (line) => process.stdout.write(`${line}\n`);

/** The benchmarks that can be run individually. */
const cases = {
  access,
  against,
  alerts,
  api: apiThroughput,
  backups,
  browsing,
  console: webConsole,
  day: dayMemory,
  'dead-mounts': deadMounts,
  download,
  drill,
  events,
  health: busyHealth,
  jobs: jobList,
  memory: archiveMemory,
  metrics: metricsTime,
  'moving-in': movingIn,
  overview,
  recovery,
  schedules,
  sources,
  start,
};
export const caseNames = Object.keys(cases);

/** Measures and prints the table. Resolves to the exit code: 1 if a limit is exceeded. */
export async function bench(names = caseNames) {
  const folder = mkdtempSync(join(process.env.BENCH_FOLDER || tmpdir(), 'holdfast-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  describeMachine(folder);
  const rows = [];
  for (const name of names) rows.push(...(await cases[name]({ folder, say })));
  printTable(rows);
  return rows.every(({ passed }) => passed) ? 0 : 1;
}

function describeMachine(folder) {
  const [{ model }] = cpus();
  const borg = execFileSync('borg', ['--version'], { encoding: 'utf8' }).trim();
  say(`machine: ${cpus().length} x ${model}, ${mebibytes(totalmem())}, Linux ${release()}`);
  say(`node ${process.version}, ${borg}, folder ${folder}`);
  say(
    'method: one run; the service is a separate process, called over HTTP; sources are in the file cache; time of a',
  );
  say(
    'backup is from the request to the state `completed`, as reported by the job; memory is VmRSS, read every 25 ms',
  );
}

async function backups({ folder }) {
  const dataDirectory = join(folder, 'data');
  const [large, wide] = ['large', 'wide'].map((name) => join(folder, name));
  for (const path of [dataDirectory, large, wide]) mkdirSync(path);
  say(`making ${settings.mebibytes} MiB in ${settings.files} files, and ${settings.entries} small files`);
  makeRandomTree(large, settings);
  makeWideTree(wide, settings.entries);

  const service = await startService(dataDirectory);
  const api = await signIn(service.url);
  const idle = await idleMemory({ service, api });
  const times = await backupTime({ api, folder, source: large, say });
  const { entries } = settings;
  const memory = await workingMemory({ service, api, folder, large, wide, entries, idle });
  await service.stop();
  return [...times, ...memory];
}

async function browsing(world) {
  return [...(await browse(world)), ...(await manyArchives(world)), ...(await wideFolder(world))];
}

function printTable(rows) {
  const width = Math.max(...rows.map(({ what }) => what.length));
  say(`\n${'what'.padEnd(width)}  measured   limit     passed`);
  for (const { what, measured, limit, passed } of rows) {
    say(`${what.padEnd(width)}  ${measured.padEnd(9)}  ${limit.padEnd(8)}  ${passed ? 'yes' : 'NO'}`);
  }
}
