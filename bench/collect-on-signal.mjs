import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Imported into a service: SIGUSR2 triggers a garbage collection. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => {
  // The second collection removes what finalizers of the first one released.
  collect();
  collect();
});
