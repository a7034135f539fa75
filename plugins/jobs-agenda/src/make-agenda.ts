import { hostname } from 'node:os';
import type { Log } from '@holdfast/plugin-api';
import { Agenda, type AgendaBackend, type Job } from 'agenda';
import { type Timer, timerName } from './timer.js';
import type { TimerRows } from './timer-rows.js';

/** How often each instance polls. Agenda arms in-process timers for whatever is due before the next poll. */
const lookEvery = 1_000;
/** How long a taken timer stays locked. If its instance dies, the timer fires elsewhere after that. */
const lockLifetime = 10_000;
/** Handlers only pass a key on, so this limit matters only if they hang. */
const handlersAtOnce = 1_000;

export interface AgendaParts {
  /** Already connected. */
  backend: AgendaBackend;
  rows: TimerRows;
  log: Log;
  /** Names of lasting timers. */
  lasting: readonly string[];
  run(job: Job<Timer>): Promise<void>;
}

/** Takes no timers before `start`. */
export function makeAgenda({ backend, rows, log, lasting, run }: AgendaParts): Agenda {
  const agenda = new Agenda({
    backend: connected(backend, rows),
    name: `${hostname()}:${process.pid}`,
    processEvery: lookEvery,
    maxConcurrency: handlersAtOnce,
    defaultConcurrency: handlersAtOnce,
    defaultLockLifetime: lockLifetime,
  });
  agenda.on('error', (error: unknown) => log.debug('error in Agenda', { error }));
  for (const name of [timerName, ...lasting]) agenda.define<Timer>(name, (job) => run(job));
  return agenda;
}

/** Agenda would connect the backend itself, and a failure would go unnoticed, so it is connected before. */
const connected = (backend: AgendaBackend, rows: TimerRows): AgendaBackend => ({
  name: backend.name,
  repository: rows.repository,
  ownsConnection: false,
  connect: async () => undefined,
  disconnect: async () => undefined,
});
