import { DriverError, type PullArchiveInput } from '@holdfast/plugin-api/driver';
import { isBelow } from '@holdfast/plugin-api/files';
import { mountTable, viewPrefix } from '../view.js';
import { readAll } from './read-all.js';

export interface HostView {
  /** Before a command on the host. */
  prefix: string[];
  /** The tool there can't write its caches. */
  hidesHome: boolean;
}

const script = `printf '%s\\0' "$HOME"; cat ${mountTable}; printf '\\0'`;

/** What a command on the host sees of its file system. */
export async function hostView(
  { host, overlays = [] }: PullArchiveInput,
  until: { signal?: AbortSignal },
): Promise<HostView> {
  if (overlays.length === 0) return { prefix: [], hidesHome: false };
  const { stdin, stdout, stderr } = await host.run(['sh', '-c', script], until);
  stdin.end();
  const [text] = await Promise.all([readAll(stdout), readAll(stderr)]);
  const [home = '', table = '', end] = text.split('\0');
  if (end === undefined) throw new DriverError('failed', `The mounts of ${host.name} cannot be read.`);
  return {
    prefix: viewPrefix(overlays, { table: Buffer.from(table).toString('latin1') }),
    hidesHome: overlays.some(({ path }) => isBelow(home, path)),
  };
}
