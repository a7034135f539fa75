import { DriverError } from '@holdfast/plugin-api/driver';

/** The tool's answer to a `--json` flag. */
export function parseJson<T>(output: string): T {
  try {
    return JSON.parse(output) as T;
  } catch (cause) {
    throw new DriverError('failed', 'borg gave an answer that is not JSON.', { cause });
  }
}
