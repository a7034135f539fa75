import type { Log } from '@holdfast/plugin-api';

/** The guarded plugin, for messages. */
export interface Guarded {
  /** Name of the package. */
  name: string;
  log: Log;
}
