import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type PluginKind, pluginApiVersions } from '@holdfast/plugin-api';
import { schemaVersions } from '../../src/app/schema/migrations/index.js';
import {
  loadPlugins,
  type PluginHost,
  type PluginHostOptions,
} from '../../src/engine/plugins/plugin-host.js';
import { requiredDriverOperations } from '../../src/foundation/ports/driver-operations.js';
import { silentLog } from '../fakes/silent-log.js';

/** Of those that `addAll` adds. */
export const selection = { storage: 'one', jobs: 'one', cache: 'one', driver: 'one' };

export interface PackageText {
  /** In package.json; default: the name of the folder. */
  name?: string;
  /** null: no `holdfast` block. */
  holdfast?: Record<string, unknown> | null;
  main?: string;
  code?: string | null;
}

/**
 * Packages on disk, for the host to find. Each module that is imported or lives adds a word to
 * `globalThis.seen`.
 */
export class PluginPackages {
  readonly folder = mkdtempSync(join(tmpdir(), 'holdfast-plugins-'));

  add(called: string, text: PackageText = {}): string {
    const { name = called, holdfast = {}, main, code = plugin({ kind: 'cache' }) } = text;
    const folder = join(this.folder, called);
    const kind = (holdfast?.kind ?? 'cache') as PluginKind;
    const apiVersion = `^${pluginApiVersions[kind] ?? '1.0.0'}`;
    const block = holdfast === null ? {} : { holdfast: { apiVersion, kind: 'cache', id: name, ...holdfast } };
    this.#write(
      join(folder, 'package.json'),
      JSON.stringify({ name, version: '1.2.3', type: 'module', main, ...block }),
    );
    if (code !== null) this.#write(join(folder, 'index.js'), `${seen(`import ${name}`)}\n${code}`);
    return folder;
  }

  /** One plugin of each kind that must be chosen. */
  addAll(): string[] {
    const kinds = ['driver', 'cache', 'jobs', 'storage'];
    for (const kind of kinds) this.add(kind, { holdfast: { kind, id: 'one' }, code: plugin({ kind }) });
    return kinds;
  }

  resolve = (name: string): string => join(this.folder, name);

  /** Loads the packages of these names. */
  load(names: string[], more: Partial<PluginHostOptions> = {}): Promise<PluginHost> {
    return loadPlugins({
      packages: names,
      resolve: this.resolve,
      selection,
      configurationOf: () => ({}),
      log: silentLog(),
      clock: { now: () => 0 },
      schema: schemaVersions,
      fetch,
      dataDirectory: join(this.folder, 'data'),
      openImporter: () => ({ call: () => Promise.reject(new Error('none here')), close: () => undefined }),
      ...more,
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  #write(file: string, text: string): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const seen = (word: string) => `(globalThis.seen ??= []).push(${JSON.stringify(word)});`;

const newest = schemaVersions.at(-1)?.version;

const methods: Record<string, string[]> = {
  storage: ['find', 'insert', 'update', 'remove', 'aggregate', 'transaction'],
  jobs: ['set', 'clear', 'onDue', 'drain'],
  cache: ['get', 'set', 'delete', 'clear', 'iterator'],
  notify: ['send'],
  driver: requiredDriverOperations,
};

/** The code of a plugin that has its whole port; `body` holds further members of its instance. */
export const plugin = ({
  kind,
  body = '',
  create = '',
}: {
  kind: string;
  body?: string;
  create?: string;
}): string => `
export default {
  kind: '${kind}',
  configuration: { safeParse: (raw) => raw.bad
    ? { success: false, error: { issues: [{ path: ['bad'], message: 'must not be there' }] } }
    : { success: true, data: raw } },
  async create(context) {
    globalThis.seen.push('create ${kind}');
    ${create}
    return {
      start: async () => void globalThis.seen.push('start ${kind}'),
      stop: async () => void globalThis.seen.push('stop ${kind}'),
      ${kind === 'storage' ? `schemaVersion: async () => ${newest},` : ''}
      ${(methods[kind] ?? []).map((name) => `${name}() {},`).join(' ')}
      ${body}
    };
  },
};`;
