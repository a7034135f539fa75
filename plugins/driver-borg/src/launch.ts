import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { DriverError } from '@holdfast/plugin-api/driver';

const run = promisify(execFile);

/** Looks up a command name on the service's own PATH; null if there is none. */
export async function findProgram(name: string): Promise<string | null> {
  const candidates = name.includes('/')
    ? [name]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder || '.', name));
  for (const candidate of candidates) if (await isProgram(candidate)) return candidate;
  return null;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

export async function findTool(binary: string): Promise<string> {
  const found = await findProgram(binary);
  if (found === null)
    throw new DriverError('tool_missing', `Borg was not found as "${binary}". Install Borg 1.2 or 1.4.`);
  return found;
}

/** Of every tool: requests to the service come first. */
export const niceness = 15;

let prefix: Promise<string[]> | undefined;

/**
 * Arguments before the tool. They lower its priority and, where the host supports it, send a signal to the tool when
 * this process dies, so that a quiet tool does not run on alone. Both are replaced by the tool, so its pid is the
 * child's.
 */
export function launchPrefix(): Promise<string[]> {
  prefix ??= Promise.all([
    works(['nice', '-n', String(niceness)]),
    works(['setpriv', '--pdeathsig', 'TERM']),
  ]).then((parts) => parts.flat());
  return prefix;
}

/**
 * The last arguments before the tool: they wait for a line on this descriptor, and exit if there is none because this
 * process died or gave up.
 */
export const gateDescriptor = 4;
const gate = `read -r _ <&${gateDescriptor} && exec "$@" ${gateDescriptor}<&-`;
export const gatePrefix = ['/bin/sh', '-c', gate, 'gate'];

async function works(command: string[]): Promise<string[]> {
  const [name, ...args] = command as [string, ...string[]];
  const program = await findProgram(name);
  if (program === null) return [];
  try {
    await run(program, [...args, 'true'], { timeout: 5000 });
    return [program, ...args];
  } catch {
    return [];
  }
}
