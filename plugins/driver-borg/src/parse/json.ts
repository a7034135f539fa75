import { DriverError } from '@holdfast/plugin-api/driver';

/** Parses the tool's answer to a `--json` flag. */
export function parseJson<T>(output: string): T {
  try {
    return JSON.parse(output) as T;
  } catch (cause) {
    throw new DriverError('failed', 'Borg returned output that is not JSON.', { cause });
  }
}
