import { hostname } from 'node:os';
import type { Log } from '@holdfast/plugin-api';
import { Agenda, type AgendaBackend, type Job } from 'agenda';
import { type Timer, timerName } from './timer.js';
import type { TimerRows } from './timer-rows.js';

/** How often each instance looks for timers: what is due before the next look is armed as a timer. */
const lookEvery = 250;
/** How long a timer belongs to an instance that took it; one that died in between fires elsewhere after it. */
const lockLifetime = 10_000;
/** Handlers only hand a key on: the bound is for those that hang. */
const handlersAtOnce = 1_000;

export interface AgendaParts {
  /** Connected. */
  backend: AgendaBackend;
  rows: TimerRows;
  log: Log;
  run(job: Job<Timer>): Promise<void>;
}

/** Takes no timers before its `start`. */
export function makeAgenda({ backend, rows, log, run }: AgendaParts): Agenda {
  const agenda = new Agenda({
    backend: connected(backend, rows),
    name: `${hostname()}:${process.pid}`,
    processEvery: lookEvery,
    maxConcurrency: handlersAtOnce,
    defaultConcurrency: handlersAtOnce,
    defaultLockLifetime: lockLifetime,
  });
  agenda.on('error', (error: unknown) => log.debug('Agenda met an error', { error }));
  agenda.define<Timer>(timerName, (job) => run(job));
  return agenda;
}

/** Agenda connects it by itself, and nobody would hear of a failure: that was done before. */
const connected = (backend: AgendaBackend, rows: TimerRows): AgendaBackend => ({
  name: backend.name,
  repository: rows.repository,
  ownsConnection: false,
  connect: async () => undefined,
  disconnect: async () => undefined,
});
