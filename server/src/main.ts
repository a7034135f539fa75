#!/usr/bin/env node
import { isAppError, isStoreError } from '@holdfast/core/server';
import { ConfigurationError, readConfiguration } from './config.js';
import { forgetPluginVariables } from './other-variables.js';
import { type Service, startService } from './service.js';
import { watchUncaught } from './uncaught.js';

process.umask(0o077);
const configuration = orExit(() => readConfiguration(process.env));
for (const name of ['SECRET_KEY', 'INITIAL_ADMIN_PASSWORD', 'DATABASE_URL', 'MONGODB_URI', 'METRICS_TOKEN'])
  delete process.env[name];
forgetPluginVariables(process.env);
const logUncaught = watchUncaught();
const service = await startService(configuration, showPassword).catch(exitWith);
logUncaught(service.log);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopOnce(service));
console.log(`Holdfast listens on ${service.url} (documentation: ${service.url}/api/docs)`);

let stopping = false;
function stopOnce({ stop }: Service): void {
  if (stopping) process.exit(1);
  stopping = true;
  void stop().then(() => process.exit(0));
}

/** Plain text, never through the log. */
function showPassword(password: string): void {
  console.log(`First start: user admin, password ${password} (shown only now; change it at the first login)`);
}

function orExit<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return exitWith(error);
  }
}

/** What a person can correct is a sentence; anything else shows where it came from. */
function exitWith(error: unknown): never {
  const known =
    error instanceof ConfigurationError ||
    isAppError(error) ||
    isStoreError(error) ||
    (error instanceof Error && error.name === 'PluginError');
  console.error(known ? (error as Error).message : error);
  process.exit(1);
}
