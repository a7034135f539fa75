import { setFlagsFromString } from 'node:v8';
import { type Service, startService } from '../service.js';
import { watchUncaught } from '../uncaught.js';
import { configurationOfProcess } from './environment.js';
import { exitWith } from './exit.js';

/** Starts the service. The process exits when the service stops. */
export async function serve(): Promise<void> {
  const configuration = configurationOrExit();
  const logUncaught = watchUncaught();
  const service = await startService(configuration, showPassword).catch(exitWith);
  logUncaught(service.log);
  // With the default, every thousand browses trigger ten full garbage collections, and each delays a request.
  setFlagsFromString('--heap-growing-percent=100');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopOnce(service));
  console.log(`Holdfast listens on ${service.url} (documentation: ${service.url}/api/docs)`);
  if (passwordShown)
    console.log(`Open ${service.url} in a browser; sign in as admin with the password above.`);
}

function configurationOrExit() {
  try {
    return configurationOfProcess();
  } catch (error) {
    return exitWith(error);
  }
}

let stopping = false;
function stopOnce({ stop }: Service): void {
  if (stopping) process.exit(1);
  stopping = true;
  void stop().then(() => process.exit(0));
}

let passwordShown = false;
/** Printed directly, never logged. */
function showPassword(password: string): void {
  passwordShown = true;
  console.log(`First start: user admin, password ${password} (shown only now; change it at the first login)`);
}
