import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginSource } from '@holdfast/core/server';
import { z } from 'zod';
import { type Configuration, ConfigurationError } from '../config.js';

const optionalMark = /^optional:\s*/;

/** The folder for added plugins. It can be used with `npm install --prefix`. */
export const addedPluginsFolder = (dataDirectory: string): string => join(dataDirectory, 'plugins');

/**
 * The added plugins: the entries of PLUGINS, and those in the plugin folder of the data folder. If a plugin
 * is in both, PLUGINS wins. ConfigurationError if the folder can't be read.
 */
export function addedPlugins(
  { plugins, dataDirectory }: Pick<Configuration, 'plugins' | 'dataDirectory'>,
  folderOf: (nameOrFolder: string) => string | null,
): PluginSource[] {
  const named = plugins.map((entry) => ({
    name: entry.replace(optionalMark, ''),
    from: 'PLUGINS' as const,
    optional: optionalMark.test(entry),
  }));
  const places = new Set<string>();
  return [...named, ...found(addedPluginsFolder(dataDirectory))].filter(({ name }) => {
    const folder = folderOf(name);
    const place = folder === null ? name : realpathSync(folder);
    if (places.has(place)) return false;
    places.add(place);
    return true;
  });
}

function found(folder: string): PluginSource[] {
  if (!existsSync(folder)) return [];
  const source = (name: string, optional = false) => ({ name, from: 'data folder' as const, optional });
  const { dependencies, optionalDependencies } = installedIn(folder);
  return [
    ...foldersIn(folder).map((name) => source(join(folder, name))),
    ...packagesIn(folder, dependencies).map((path) => source(path)),
    ...packagesIn(folder, optionalDependencies).map((path) => source(path, true)),
  ];
}

/** All folders with a package.json. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name !== 'node_modules' && existsSync(join(folder, name, 'package.json')))
      .sort();
  } catch (error) {
    throw unreadable(folder, (error as NodeJS.ErrnoException).code);
  }
}

const names = z.record(z.unknown()).default({}).transform(Object.keys);
const installation = z.object({ dependencies: names, optionalDependencies: names });

/** Direct dependencies only: transitive ones are not plugins of this service. */
function installedIn(folder: string): z.infer<typeof installation> {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return { dependencies: [], optionalDependencies: [] };
  try {
    return installation.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw unreadable(file, (error as NodeJS.ErrnoException).code ?? 'not a valid package.json');
  }
}

/** Packages with a `holdfast` block, and unreadable ones, which are reported by name later. */
const packagesIn = (folder: string, packages: readonly string[]): string[] =>
  packages.map((name) => join(folder, 'node_modules', name)).filter((path) => !isOtherPackage(path));

function isOtherPackage(path: string): boolean {
  try {
    const content: unknown = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    return typeof content === 'object' && content !== null && !('holdfast' in content);
  } catch {
    return false;
  }
}

const unreadable = (path: string, why: string | undefined) =>
  new ConfigurationError(`The plugins in ${path} can't be read (${why}).`);
