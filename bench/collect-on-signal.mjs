import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Imported into a service: SIGUSR2 makes it collect what nobody needs any more. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => {
  // What the first one lets go of by its finalizers goes with the second.
  collect();
  collect();
});
