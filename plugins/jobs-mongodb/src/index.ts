import { agendaTimerService } from '@holdfast/jobs-agenda';
import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { examineMongo } from './examine-mongo.js';
import { openClient } from './mongo-client.js';
import { planKinds } from './mongo-ledger.js';
import { oldServer } from './old-server.rules.js';
import { TimerBackend } from './timer-backend.js';

/** Timers in MongoDB: they survive restarts and are shared by all instances on the same database. */
export default definePlugin({
  kind: 'jobs',
  configuration: z.object({
    uri: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://'),
  }),
  create: ({ configuration, log }) => {
    const backend = new TimerBackend(openClient(configuration.uri));
    const close = () => backend.disconnect();
    const parts = { backend, lasting: planKinds, service: 'MongoDB', log, close, explain: oldServer };
    const { ledger } = backend;
    return Object.assign(agendaTimerService(parts), {
      ledger,
      examine: () => examineMongo(configuration.uri),
    });
  },
});
