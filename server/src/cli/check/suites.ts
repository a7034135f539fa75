import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsProblem } from '@holdfast/core/server';
import type {
  CacheStore,
  PluginDefinition,
  PluginKind,
  StatePublisher,
  StoragePort,
  TimerService,
} from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { Importer } from '@holdfast/plugin-api/importer';
import type { Source } from '@holdfast/plugin-api/source';
import {
  backupDriverSuite,
  type ConformanceCase,
  cacheSuite,
  importerSuite,
  notifierSuite,
  signInSuite,
  sourceSuite,
  statesSuite,
  storageSuite,
  timerServiceSuite,
} from '@holdfast/testkit';
import { CommandError } from '../exit.js';
import type { CheckedPlugin } from './checked-plugin.js';

export interface SuiteSettings {
  url: string | undefined;
  /** Suite options that override those derived from the configuration. */
  harness: object;
}

type Options<Suite extends (options: never) => unknown> = Parameters<Suite>[0];

/** The conformance cases for the plugin's port. */
export function casesFor(plugin: CheckedPlugin, { url, harness }: SuiteSettings): ConformanceCase[] {
  const makers: Record<PluginKind, () => ConformanceCase[]> = {
    storage: () => storageSuite({ ...storageOptions(plugin), ...harness }),
    jobs: () => timerServiceSuite({ ...jobsOptions(plugin), ...harness }),
    cache: () => cacheSuite({ ...cacheOptions(plugin), ...harness }),
    notify: () => notifierSuite({ ...notifyOptions(plugin, url), ...harness }),
    driver: () => backupDriverSuite({ ...driverOptions(plugin), ...harness }),
    importer: () => importerSuite({ ...importerOptions(plugin), ...harness }),
    source: () => sourceSuite({ ...sourceOptions(plugin), ...harness }),
    'sign-in': () => signInSuite({ ...signInOptions(plugin), ...harness }),
    states: () => statesSuite({ ...statesOptions(plugin), ...harness }),
  };
  return makers[plugin.manifest.kind]();
}

const sourceOptions = (plugin: CheckedPlugin): Options<typeof sourceSuite> => ({
  async open() {
    const { port, close } = await plugin.open<Source>();
    return { source: port, close };
  },
  settings: {},
});

/** Nothing listens at `{host}`. */
const statesOptions = (plugin: CheckedPlugin): Options<typeof statesSuite> => ({
  async open() {
    const { port, close } = await plugin.open<StatePublisher>({ host: '127.0.0.1:1' });
    return { publisher: port, close };
  },
});

const signInOptions = (plugin: CheckedPlugin): Options<typeof signInSuite> => ({
  plugin: plugin.definition as PluginDefinition<'sign-in'>,
  configurationFor: ({ sink: { host }, client }) =>
    plugin.configurationWith({ host, client_id: client.id, client_secret: client.secret }),
});

const storageOptions = (plugin: CheckedPlugin): Options<typeof storageSuite> => ({
  async open(store, start) {
    const { port, close } = await plugin.open<StoragePort>({ store }, start);
    return { storage: port, close };
  },
});

const jobsOptions = (plugin: CheckedPlugin): Options<typeof timerServiceSuite> => ({
  async open() {
    const { port, close } = await plugin.open<TimerService>();
    return { timers: port, close };
  },
});

const importerOptions = (plugin: CheckedPlugin): Options<typeof importerSuite> => ({
  async open() {
    const { port, close } = await plugin.open<Importer>();
    return { importer: port, close };
  },
  problemOf: settingsProblem,
});

/** Every case starts with an empty cache. */
const cacheOptions = (plugin: CheckedPlugin): Options<typeof cacheSuite> => ({
  async open() {
    const { port, close } = await plugin.open<CacheStore>();
    await port.clear();
    return { cache: port, close };
  },
});

function notifyOptions(plugin: CheckedPlugin, given: string | undefined): Options<typeof notifierSuite> {
  const scheme = plugin.manifest.schemes.find((each) => each !== '*');
  if (given === undefined && scheme === undefined) {
    throw new CommandError("Name a service URL of the transport, for example --url 'example://{host}/'.");
  }
  const template = given ?? `${scheme}://{host}/`;
  return {
    plugin: plugin.definition as PluginDefinition<'notify'>,
    urlFor: ({ host }) => template.replaceAll('{host}', host),
    configurationFor: ({ host }) => plugin.configurationWith({ host }),
  };
}

const driverOptions = (plugin: CheckedPlugin): Options<typeof backupDriverSuite> => ({
  newTarget: (folder) => ({
    uid: randomUUID(),
    location: join(folder, `repository ${randomUUID()}`),
    passphrase: null,
    keyFile: null,
    remoteToolPath: null,
  }),
  async open() {
    const { port, close } = await plugin.open<BackupDriver>();
    const workFolder = join(plugin.folder, randomUUID());
    await mkdir(workFolder);
    const closeAndRemove = async () => {
      await close();
      await rm(workFolder, { recursive: true, force: true });
    };
    return { driver: port, workFolder, close: closeAndRemove };
  },
});
