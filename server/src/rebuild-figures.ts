#!/usr/bin/env node
import { rebuildFigures } from '@holdfast/core/server';
import { makePinoLog } from './adapters/pino-log.js';
import { makeRedactor } from './adapters/redactor.js';
import { loadConfiguredPlugins } from './composition/load-plugins.js';
import { readConfiguration } from './config.js';

/** Counts all jobs anew for the metrics: for a database that was changed or mended by hand. */
const configuration = readConfiguration(process.env);
const log = makePinoLog({ level: 'warn', redactor: makeRedactor() });
const plugins = await loadConfiguredPlugins(configuration, log);
await plugins.start();
try {
  const counted = await plugins.ports.storage.transaction(rebuildFigures);
  console.log(`Counted ${counted} ended jobs.`);
} finally {
  await plugins.stop();
}
