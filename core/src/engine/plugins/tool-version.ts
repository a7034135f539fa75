import type { Log } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import { withinTime } from '../../foundation/kernel/index.js';

/** The version line of the backup tool, cached. A failed attempt is repeated at the next call. */
export interface ToolVersion {
  /** Starts asking in the background. */
  probe(): void;
  /** For example `borg 1.2.4`; null when the tool is missing, too old or does not answer. Never rejects. */
  line(): Promise<string | null>;
}

const answerWithin = 10_000;

export function makeToolVersion({
  driver,
  log,
}: {
  driver: Pick<BackupDriver, 'version'>;
  log: Log;
}): ToolVersion {
  let asked: Promise<string | null> | null = null;
  const late = () => new Error(`no answer within ${answerWithin / 1000} s`);
  const ask = async () => {
    try {
      return (await withinTime(answerWithin, () => driver.version(), late)).line;
    } catch (error) {
      asked = null;
      log.warn('the version of Borg could not be read', { error });
      return null;
    }
  };
  const line = () => {
    asked ??= ask();
    return asked;
  };
  return { line, probe: () => void line() };
}
