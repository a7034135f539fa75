import { resolve } from 'node:path';
import { readServiceFile } from '../../adapters/service-file.js';
import type { Configuration } from '../../config.js';
import { type FoundService, findService, surroundingsOf } from './find-service.js';

/** Whose folder is looked at. */
export interface ServicePlace {
  /** Why it is this folder, in words. */
  why: string;
  service: FoundService | null;
  /** The running service was found, but this user may not see where its data is. */
  isHidden: boolean;
}

const defaultPort = 8081;

/**
 * Without DATA_DIR, takes over the variables and the working directory of the running service, so that everything after
 * this is about the same data. Variables that were given to this command win, except HOME.
 */
export async function adoptService(environment = process.env): Promise<ServicePlace> {
  if (environment.DATA_DIR) {
    const file = await readServiceFile(resolve(environment.DATA_DIR));
    const service = file && { pid: file.pid, by: 'the file service.json' };
    return { why: 'from DATA_DIR', service, isHidden: false };
  }
  const service = await findService(Number(environment.PORT ?? defaultPort));
  const nothing = 'the default, because DATA_DIR is not set and Holdfast is not running';
  if (!service) return { why: nothing, service, isHidden: false };
  const found = await surroundingsOf(service.pid);
  if (!found) {
    const why = `the default, because this user can't see that of the running Holdfast, process ${service.pid}`;
    return { why, service, isHidden: true };
  }
  process.chdir(found.folder);
  const { HOME = environment.HOME, PATH: _, ...others } = found.environment;
  Object.assign(environment, { ...others, ...definedIn(environment), ...(HOME !== undefined && { HOME }) });
  const why = `that of the running Holdfast, process ${service.pid}, found by ${service.by}`;
  return { why, service, isHidden: false };
}

const definedIn = (environment: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value));

/** `PORT=0` takes any free port, which only the service itself knows. */
export async function withPortOf(configuration: Configuration): Promise<Configuration> {
  if (configuration.port !== 0) return configuration;
  const file = await readServiceFile(configuration.dataDirectory);
  return file ? { ...configuration, port: Number(new URL(file.url).port) } : configuration;
}
