import { hostname } from 'node:os';
import type { Log } from '@holdfast/plugin-api';
import { Agenda, type AgendaBackend, type Job } from 'agenda';
import { type Alarm, alarmName } from './alarm.js';
import type { AlarmRows } from './alarm-rows.js';

/** How often each instance looks for alarms: what is due before the next look is armed as a timer. */
const lookEvery = 250;
/** How long an alarm belongs to an instance that took it; one that died in between rings elsewhere after it. */
const lockLifetime = 10_000;
/** Handlers only hand a key on: the bound is for those that hang. */
const handlersAtOnce = 1_000;

export interface AgendaParts {
  /** Connected. */
  backend: AgendaBackend;
  rows: AlarmRows;
  log: Log;
  run(job: Job<Alarm>): Promise<void>;
}

/** Takes no alarms before its `start`. */
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
  agenda.define<Alarm>(alarmName, (job) => run(job));
  return agenda;
}

/** Agenda connects it by itself, and nobody would hear of a failure: that was done before. */
const connected = (backend: AgendaBackend, rows: AlarmRows): AgendaBackend => ({
  name: backend.name,
  repository: rows.repository,
  ownsConnection: false,
  connect: async () => undefined,
  disconnect: async () => undefined,
});
