import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { type Log, loadPlugins, type PluginHost } from '@holdfast/core/server';
import { systemClock } from '../adapters/system-clock.js';
import type { Configuration } from '../config.js';

const builtIn = [
  '@holdfast/jobs-embedded',
  '@holdfast/jobs-mongodb',
  '@holdfast/cache-memory',
  '@holdfast/cache-redis',
  '@holdfast/driver-borg',
  '@holdfast/notify-webhook',
];

/**
 * Built-in plugins and those of PLUGINS go through the same door. PluginError names the package that can't
 * be used.
 */
export function loadConfiguredPlugins(configuration: Configuration, log: Log): Promise<PluginHost> {
  const configurations = configurationsOf(configuration);
  return loadPlugins({
    packages: [
      `@holdfast/storage-${storageOf(configuration)}`,
      ...builtIn,
      ...appriseIn(configuration),
      ...configuration.plugins,
    ],
    resolve: packageFolder,
    selection: {
      storage: storageOf(configuration),
      jobs: configuration.mongodbUri === undefined ? 'embedded' : 'mongodb',
      cache: 'memory',
      driver: 'borg',
    },
    configurationOf: ({ kind, id }) => configurations[`${kind}-${id}`] ?? {},
    log,
    clock: systemClock,
    fetch: fetchWithUndici,
    dataDirectory: configuration.dataDirectory,
  });
}

/** Loaded only with a server that it can use: the schemes that it takes are refused without one. */
const appriseIn = ({ appriseApiUrl }: Configuration) =>
  appriseApiUrl === undefined ? [] : ['@holdfast/notify-apprise'];

const storageOf = ({ databaseUrl }: Configuration) => (databaseUrl === undefined ? 'sqlite' : 'postgres');

const configurationsOf = ({
  databaseFile,
  databaseUrl,
  mongodbUri,
  appriseApiUrl,
  notifyAllowedNetworks,
  cache,
}: Configuration): Record<string, object> => ({
  'storage-sqlite': { file: databaseFile },
  'storage-postgres': { url: databaseUrl },
  'jobs-mongodb': { uri: mongodbUri },
  'notify-apprise': { url: appriseApiUrl },
  'notify-webhook': { allowedNetworks: notifyAllowedNetworks },
  'cache-memory': { maxSizeMb: cache.maxSizeMb },
});

/** The folder of an installed package, or of a path; null when there is none. */
export function packageFolder(nameOrFolder: string): string | null {
  if (isAbsolute(nameOrFolder) || /^\.\.?(\/|$)/.test(nameOrFolder)) {
    const folder = resolve(nameOrFolder);
    return existsSync(folder) ? folder : null;
  }
  const places = createRequire(import.meta.url).resolve.paths(nameOrFolder) ?? [];
  const folders = [join(process.cwd(), 'node_modules'), ...places].map((place) => join(place, nameOrFolder));
  return folders.find((folder) => existsSync(join(folder, 'package.json'))) ?? null;
}

/** Loaded with the first call: most plugins never speak HTTP. */
const fetchWithUndici: typeof fetch = async (...request) => {
  const { fetch: send } = await import('undici');
  return (await send(...(request as Parameters<typeof send>))) as unknown as Response;
};
