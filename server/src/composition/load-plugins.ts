import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import {
  loadPlugins,
  type PluginHost,
  type PluginManifest,
  type Redactor,
  readPluginManifest,
  schemaVersions,
} from '@holdfast/core/server';
import type { Log } from '@holdfast/plugin-api';
import { openImporter } from '../adapters/importer-process.js';
import { makeRedactor } from '../adapters/redactor.js';
import { watchForStuck } from '../adapters/stuck-watch.js';
import { systemClock } from '../adapters/system-clock.js';
import type { Configuration } from '../config.js';
import { configureAdded } from './added-plugins.js';
import { variablePrefix } from './plugin-configuration.js';
import { addedPluginsFolder } from './plugin-sources.js';

const always = [
  '@holdfast/jobs-embedded',
  '@holdfast/jobs-mongodb',
  '@holdfast/cache-memory',
  '@holdfast/cache-redis',
  '@holdfast/driver-borg',
  '@holdfast/notify-webhook',
];

/** Ids of transports. An added plugin with the id or a scheme of one is used instead of it. */
const services = ['mail', 'ntfy', 'telegram', 'discord', 'slack', 'gotify', 'pushover'];
const packageOf = (service: string) => `@holdfast/notify-${service}`;

const borgmatic = '@holdfast/importer-borgmatic';

const signIns = ['@holdfast/signin-oidc', '@holdfast/signin-header'];

const states = { kind: 'states', id: 'mqtt' } as const;

const sources = ['container', 'mongodb', 'mysql', 'postgresql', 'snapshot', 'sqlite'];
const sourcePackage = (id: string) => `@holdfast/source-${id}`;

export const builtIn = [
  ...always,
  borgmatic,
  ...services.map(packageOf),
  ...sources.map(sourcePackage),
  ...signIns,
  '@holdfast/states-mqtt',
  '@holdfast/storage-sqlite',
  '@holdfast/storage-postgres',
  '@holdfast/notify-apprise',
];

export interface LoadingOptions {
  redactor?: Redactor;
  /** Selects among the added plugins; default: all. */
  use?(manifest: PluginManifest): boolean;
}

/** Loads built-in and added plugins in the same way. PluginError names a package that can't be loaded. */
export async function loadConfiguredPlugins(
  configuration: Configuration,
  log: Log,
  { redactor = makeRedactor(), use }: LoadingOptions = {},
): Promise<PluginHost> {
  const configurations = configurationsOf(configuration);
  const resolve = (name: string) => packageFolder(name, addedPlaces(configuration));
  const { warnOfRest, configurationOf, manifests, ...added } = configureAdded(configuration, {
    resolve,
    redactor,
    use,
    configurable: [
      ...services.map((id) => ({ kind: 'notify' as const, id })),
      ...sources.map((id) => ({ kind: 'source' as const, id })),
      states,
    ],
  });
  const host = await loadPlugins({
    ...added,
    packages: [
      `@holdfast/storage-${storageOf(configuration)}`,
      ...always,
      ...servicesBeside(manifests, resolve),
      ...importersBeside(manifests),
      ...sourcesBeside(manifests),
      ...appriseIn(configuration),
      ...signInsIn(configuration),
      ...statesIn(configuration, manifests),
    ],
    resolve,
    selection: {
      storage: storageOf(configuration),
      jobs: configuration.mongodbUri === undefined ? 'embedded' : 'mongodb',
      cache: 'memory',
      driver: 'borg',
    },
    configurationOf: (plugin) => ({
      ...configurations[`${plugin.kind}-${plugin.id}`],
      ...(configurationOf(plugin) as object),
    }),
    log,
    clock: systemClock,
    schema: schemaVersions,
    fetch,
    watch: watchForStuck(),
    openImporter,
    dataDirectory: configuration.dataDirectory,
  });
  warnOfRest(log);
  return host;
}

const addedPlaces = ({ dataDirectory }: Configuration) => [
  join(addedPluginsFolder(dataDirectory), 'node_modules'),
];

/** Packages of the services that no added plugin replaces. */
function servicesBeside(
  added: readonly PluginManifest[],
  resolve: (name: string) => string | null,
): string[] {
  const transports = added.filter(({ kind }) => kind === 'notify');
  const isReplaced = (folder: string) => {
    const own = readPluginManifest(folder);
    return transports.some(
      ({ id, schemes }) => id === own.id || schemes.some((one) => own.schemes.includes(one)),
    );
  };
  return services.map(packageOf).filter((name) => {
    const folder = transports.length === 0 ? null : resolve(name);
    return folder === null || !isReplaced(folder);
  });
}

/** The importer that no added plugin replaces. */
const importersBeside = (added: readonly PluginManifest[]): string[] =>
  added.some(({ kind, id }) => kind === 'importer' && id === 'borgmatic') ? [] : [borgmatic];

/** Sources that no added plugin replaces. */
const sourcesBeside = (added: readonly PluginManifest[]): string[] =>
  sources.filter((id) => !added.some((one) => one.kind === 'source' && one.id === id)).map(sourcePackage);

/** Loaded only if an Apprise server is configured; otherwise its schemes are rejected. */
const appriseIn = ({ appriseApiUrl }: Configuration) =>
  appriseApiUrl === undefined ? [] : ['@holdfast/notify-apprise'];

/** Loaded only if they are configured. */
const signInsIn = ({ oidc, signInHeader }: Configuration) =>
  signIns.filter((_, index) => [oidc, signInHeader][index] !== undefined);

/** Loaded only if a broker is configured, and no added plugin replaces it. */
const statesIn = ({ pluginVariables }: Configuration, added: readonly PluginManifest[]): string[] =>
  `${variablePrefix(states)}URL` in pluginVariables &&
  !added.some(({ kind, id }) => kind === states.kind && id === states.id)
    ? ['@holdfast/states-mqtt']
    : [];

const storageOf = ({ databaseUrl }: Configuration) => (databaseUrl === undefined ? 'sqlite' : 'postgres');

const configurationsOf = ({
  databaseFile,
  databaseUrl,
  mongodbUri,
  appriseApiUrl,
  notifyAllowedNetworks,
  cache,
  oidc = {},
  signInHeader = {},
}: Configuration): Record<string, object> => ({
  'storage-sqlite': { file: databaseFile },
  'storage-postgres': { url: databaseUrl },
  'jobs-mongodb': { uri: mongodbUri },
  'notify-apprise': { url: appriseApiUrl },
  'sign-in-oidc': oidc,
  'sign-in-header': signInHeader,
  ...Object.fromEntries(
    ['webhook', ...services].map((id) => [`notify-${id}`, { allowedNetworks: notifyAllowedNetworks }]),
  ),
  'cache-memory': { maxSizeMb: cache.maxSizeMb },
});

/** The folder of an installed package or a path; null if it does not exist. */
export function packageFolder(nameOrFolder: string, morePlaces: readonly string[] = []): string | null {
  if (isAbsolute(nameOrFolder) || /^\.\.?(\/|$)/.test(nameOrFolder)) {
    const folder = resolve(nameOrFolder);
    return existsSync(folder) ? folder : null;
  }
  const places = createRequire(import.meta.url).resolve.paths(nameOrFolder) ?? [];
  const all = [join(process.cwd(), 'node_modules'), ...morePlaces, ...places];
  const folders = all.map((place) => join(place, nameOrFolder));
  return folders.find((folder) => existsSync(join(folder, 'package.json'))) ?? null;
}
