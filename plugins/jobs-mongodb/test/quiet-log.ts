import type { Log } from '@holdfast/plugin-api';

export interface QuietLog extends Log {
  /** Warnings and errors. */
  complaints: string[];
  infos: string[];
}

/** Keeps what it is told above the level of debugging. */
export function quietLog(): QuietLog {
  const complaints: string[] = [];
  const infos: string[] = [];
  const log: QuietLog = {
    complaints,
    infos,
    debug: () => undefined,
    info: (message) => void infos.push(message),
    warn: (message) => void complaints.push(message),
    error: (message) => void complaints.push(message),
    child: () => log,
  };
  return log;
}
