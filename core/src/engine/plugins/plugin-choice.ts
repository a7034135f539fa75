import type { PluginKind } from '@holdfast/plugin-api';
import { type PluginManifest, readPluginManifest } from './plugin-manifest.fs.js';
import { builtIn, PluginError, type PluginSource } from './plugin-step.js';

/** Kinds of which all plugins are used. */
export const isUsedBeside = (kind: PluginKind): kind is BesideKind =>
  besideKinds.includes(kind as BesideKind);
const besideKinds = ['notify', 'importer', 'source', 'sign-in', 'states'] as const;
type BesideKind = (typeof besideKinds)[number];
/** Kinds that use exactly one plugin. */
export type SelectedKind = Exclude<PluginKind, BesideKind>;
export type PluginSelection = Record<SelectedKind, string>;

export interface PluginPackages {
  /** Names of the built-in packages, in any order. */
  packages: readonly string[];
  /** Packages that were added to them. */
  added?: readonly PluginSource[];
  /** The folder of a package, or null when there is none. */
  resolve(nameOrFolder: string): string | null;
}

export interface PluginPreferences {
  /** The ids of the storage, jobs, cache and driver plugins to use when none is added. */
  selection: PluginSelection;
  /** The variable that selected the id of a kind, if any. An added plugin of that kind is then rejected. */
  chosenBy?: Partial<Record<SelectedKind, string>>;
}

export interface InstalledPlugin {
  manifest: PluginManifest;
  source: PluginSource;
}

/** An optional plugin that failed; `manifest` is null when it could not be read. */
export interface FailedPlugin {
  manifest: PluginManifest | null;
  source: PluginSource;
  error: PluginError;
}

/** Reads and checks all manifests without importing code. */
export function readInstalled({ packages, added = [], resolve }: PluginPackages): {
  installed: InstalledPlugin[];
  failed: FailedPlugin[];
} {
  const installed: InstalledPlugin[] = [];
  const failed: FailedPlugin[] = [];
  for (const source of [...new Set(packages)].map(builtIn).concat(added)) {
    let manifest: PluginManifest | null = null;
    try {
      const folder = resolve(source.name);
      if (folder === null) throw new PluginError('not_found', `The plugin ${source.name} is not installed.`);
      manifest = readPluginManifest(folder);
      for (const other of installed) refuseShadowing(manifest, other);
      installed.push({ manifest, source });
    } catch (error) {
      if (!source.optional || !(error instanceof PluginError)) throw error;
      failed.push({ manifest, source, error });
    }
  }
  return { installed, failed };
}

function refuseShadowing(manifest: PluginManifest, { manifest: other, source }: InstalledPlugin): void {
  const { package: name, kind, id, folder } = manifest;
  if (source.from === 'built-in' && (name === other.package || folder === other.folder)) {
    throw new PluginError('taken_id', `${name} in ${folder} has the name of a built-in plugin: rename it.`);
  }
  if (kind !== other.kind) return;
  if (id === other.id) {
    throw new PluginError(
      'taken_id',
      `${name} has the ${kind} id "${id}", which ${other.package} already uses.`,
    );
  }
  const scheme = manifest.schemes.find((one) => other.schemes.includes(one));
  if (scheme === undefined) return;
  throw new PluginError(
    'taken_scheme',
    `${name} has the scheme "${scheme}", which ${other.package} already uses.`,
  );
}

const selectedKinds = ['storage', 'jobs', 'cache', 'driver'] as const satisfies readonly SelectedKind[];

/**
 * Chooses the plugins to use: an added plugin replaces the selected one of its kind; an added cache is used together
 * with the selected one, which is the fallback; of the other kinds all are used.
 */
export function choosePlugins(
  installed: readonly InstalledPlugin[],
  { selection, chosenBy = {} }: PluginPreferences,
): InstalledPlugin[] {
  const chosen = installed.filter(({ manifest: { kind } }) => isUsedBeside(kind));
  for (const kind of selectedKinds) {
    const added = addedOf(installed, kind, chosenBy[kind]);
    if (!added || kind === 'cache') chosen.push(selectedOf(installed, kind, selection[kind]));
    if (added) chosen.push(added);
  }
  return chosen;
}

/** The installed plugin that the configuration names. Throws PluginError `not_selected`. */
export function selectedOf(
  installed: readonly InstalledPlugin[],
  kind: SelectedKind,
  id: string,
): InstalledPlugin {
  const found = installed.find(({ manifest }) => manifest.kind === kind && manifest.id === id);
  if (found) return found;
  throw new PluginError(
    'not_selected',
    `The configuration selects the ${kind} "${id}", but no such plugin is installed.`,
  );
}

function addedOf(
  installed: readonly InstalledPlugin[],
  kind: SelectedKind,
  variable: string | undefined,
): InstalledPlugin | null {
  const [first, second] = installed.filter(
    ({ manifest, source }) => manifest.kind === kind && source.from !== 'built-in',
  );
  if (!first) return null;
  const name = first.manifest.package;
  if (second) {
    throw new PluginError(
      'two_chosen',
      `${name} and ${second.manifest.package} are both ${kind} plugins, but only one can be used: remove one of them (${originOf(second)}).`,
    );
  }
  if (variable !== undefined) {
    throw new PluginError(
      'two_chosen',
      `${name} is a ${kind} plugin (${originOf(first)}), but ${variable} selects another one: unset ${variable} or remove ${name}.`,
    );
  }
  if (first.source.optional && (kind === 'storage' || kind === 'driver')) {
    throw new PluginError(
      'not_optional',
      `${name} can't be optional: nothing can replace the ${kind} plugin that holds the data.`,
    );
  }
  return first;
}

const originOf = ({ source: { from, name } }: InstalledPlugin) =>
  from === 'PLUGINS' ? from : `${from}: ${name}`;
