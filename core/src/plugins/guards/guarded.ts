import type { Log } from '../../ports/services.js';

/** Who is guarded, for messages. */
export interface Guarded {
  /** Of the package. */
  name: string;
  log: Log;
}
