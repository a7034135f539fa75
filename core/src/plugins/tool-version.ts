import type { Log } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import { withinTime } from '../kernel/index.js';

/**
 * The version line of the backup tool, asked once and kept; asked again for as long as the tool can't tell.
 */
export interface ToolVersion {
  /** Begins to ask in the background. */
  probe(): void;
  /** For example `borg 1.2.4`; null when the tool is missing, too old or silent. Never rejects. */
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
      log.warn('the backup tool does not tell its version', { error });
      return null;
    }
  };
  const line = () => {
    asked ??= ask();
    return asked;
  };
  return { line, probe: () => void line() };
}
