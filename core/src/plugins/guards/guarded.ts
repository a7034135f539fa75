import type { Log } from '@holdfast/plugin-api';

/** Who is guarded, for messages. */
export interface Guarded {
  /** Of the package. */
  name: string;
  log: Log;
}
