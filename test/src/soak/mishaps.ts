import { setTimeout as pause } from 'node:timers/promises';
import { stopProcess } from '../../../scripts/services/stop-process.mjs';
import type { TestServer } from '../server.js';
import type { Fleet } from './fleet.js';
import type { SharedStores } from './shared-stores.js';

/** Longer than a lease and the patience of those who take over. */
const longFreezeMs = 28_000;

export interface MishapScene {
  fleet: Fleet;
  stores: SharedStores;
  random: () => number;
}

type Mishap = (scene: MishapScene) => Promise<string>;

const oneOf = <T>(list: readonly T[], random: () => number): T =>
  list[Math.floor(random() * list.length)] as T;

const nameOf = ({ fleet }: MishapScene, server: TestServer) => `server ${fleet.servers.indexOf(server)}`;

/** On a busy machine a start may take longer than it is waited for. */
async function launch(server: TestServer): Promise<void> {
  await server.launch().catch(() => server.launch());
}

const end =
  (signal: 'SIGKILL' | 'SIGTERM'): Mishap =>
  async (scene) => {
    const server = oneOf(scene.fleet.servers, scene.random);
    const awayMs = Math.round(scene.random() * 5_000);
    await server.stop(signal);
    await pause(awayMs);
    await launch(server);
    return `${nameOf(scene, server)} ended by ${signal}, away for ${awayMs} ms`;
  };

const freeze: Mishap = async (scene) => {
  const server = oneOf(scene.fleet.servers, scene.random);
  const ms = scene.random() < 0.3 ? longFreezeMs : Math.round(1_000 + scene.random() * 7_000);
  await stopProcess(server.pid);
  await pause(ms);
  process.kill(server.pid, 'SIGCONT');
  return `${nameOf(scene, server)} stood still for ${ms} ms`;
};

const loseStore =
  (store: 'postgres' | 'mongo' | 'redis', signals: readonly NodeJS.Signals[]): Mishap =>
  async ({ stores, random }) => {
    const signal = oneOf(signals, random);
    const awayMs = Math.round(1_000 + random() * 6_000);
    await stores[store].stop(signal);
    await pause(awayMs);
    await stores[store].launch();
    return `${store} ended by ${signal}, away for ${awayMs} ms`;
  };

/** Of a job: what else uses the tool has someone who waits for its answer. */
const killTool: Mishap = async ({ stores, random }) => {
  const rows = await stores.all<{ id: number; tool: string | { pid: number } }>(
    "SELECT id, tool FROM job WHERE status = 'running' AND tool IS NOT NULL ORDER BY id",
  );
  const row = rows.length > 0 ? oneOf(rows, random) : undefined;
  if (!row) return 'no tool was there to be killed';
  const { pid } = typeof row.tool === 'string' ? (JSON.parse(row.tool) as { pid: number }) : row.tool;
  try {
    process.kill(pid, 'SIGKILL');
    return `the tool of job ${row.id} killed`;
  } catch {
    return `the tool of job ${row.id} ended by itself`;
  }
};

const unplug: Mishap = async ({ fleet, random }) => {
  const awayMs = Math.round(1_000 + random() * 9_000);
  fleet.plug(false);
  await pause(awayMs);
  fleet.plug(true);
  return `the disk was away for ${awayMs} ms`;
};

/** How often each comes: kills and tools more than the rest. */
export const mishaps: Record<string, { weight: number; happen: Mishap }> = {
  kill: { weight: 4, happen: end('SIGKILL') },
  stop: { weight: 1, happen: end('SIGTERM') },
  freeze: { weight: 3, happen: freeze },
  postgres: { weight: 2, happen: loseStore('postgres', ['SIGINT', 'SIGQUIT']) },
  mongo: { weight: 2, happen: loseStore('mongo', ['SIGTERM', 'SIGKILL']) },
  redis: { weight: 2, happen: loseStore('redis', ['SIGTERM', 'SIGKILL']) },
  disk: { weight: 3, happen: unplug },
  tool: { weight: 4, happen: killTool },
};

/** Names without end, drawn like tickets: each comes as often as it weighs before any comes more often. */
export function* drawnByWeight<T extends { weight: number }>(
  of: Record<string, T>,
  random: () => number,
): Generator<string, never> {
  for (;;) {
    const tickets = Object.entries(of).flatMap(([name, { weight }]) => Array<string>(weight).fill(name));
    while (tickets.length > 0) {
      yield tickets.splice(Math.floor(random() * tickets.length), 1)[0] as string;
    }
  }
}
