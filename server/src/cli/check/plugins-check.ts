import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { importPlugin, type PluginManifest, readPluginManifest } from '@holdfast/core/server';
import { makeRedactor } from '../../adapters/redactor.js';
import { watchForStuck } from '../../adapters/stuck-watch.js';
import { packageFolder } from '../../composition/load-plugins.js';
import { CommandError } from '../exit.js';
import { CheckedPlugin, checkTimes } from './checked-plugin.js';
import { runCases } from './run-cases.js';
import { readJson, readModule } from './settings.js';
import { casesFor } from './suites.js';
import { takeVariables } from './variables.js';

export interface CheckOptions {
  configuration?: string;
  harness?: string;
  url?: string;
  only?: string;
  timeout: string;
  json?: boolean;
}

/**
 * Runs the conformance suite on a plugin in a folder or an installed package. Exit code 0 if all cases pass.
 */
export async function pluginsCheck(nameOrFolder: string, options: CheckOptions): Promise<number> {
  const timeoutMs = secondsOf(options.timeout) * 1000;
  const manifest = readPluginManifest(folderOf(nameOrFolder));
  const watch = watchUncaught(manifest);
  const stuck = watchForStuck();
  const redactor = makeRedactor();
  const variables = takeVariables(manifest, redactor);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-check-'));
  try {
    const definition = await importPlugin(manifest, { times: checkTimes, watch: stuck });
    const written = options.configuration === undefined ? {} : await readJson(options.configuration);
    const configuration = { ...variables.read(definition.configuration), ...written };
    const plugin = new CheckedPlugin({ manifest, definition, configuration, folder, watch: stuck, redactor });
    const harness = options.harness === undefined ? {} : await readModule(options.harness);
    const all = casesFor(plugin, { url: options.url, harness });
    const cases = all.filter(({ name }) => name.includes(options.only ?? ''));
    if (cases.length === 0) throw new CommandError(`No case has "${options.only}" in its name.`);
    if (options.harness === undefined) await plugin.tryOut();
    const { package: name, version, kind, id } = manifest;
    if (!options.json) console.log(`${name} ${version}: ${kind} "${id}", ${cases.length} cases`);
    if (!options.json && variables.names.length > 0) console.log(`with ${variables.names.join(', ')}`);
    watch.begins();
    const failed = await runCases(cases, {
      kind,
      timeoutMs,
      json: options.json === true,
      uncaught: watch.uncaught,
    });
    return failed === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function folderOf(nameOrFolder: string): string {
  const found = existsSync(resolve(nameOrFolder)) ? resolve(nameOrFolder) : packageFolder(nameOrFolder);
  if (found !== null) return found;
  throw new CommandError(`There is no folder or installed package ${nameOrFolder}.`);
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 3_600) return seconds;
  throw new CommandError('--timeout must be a number of seconds from 1 to 3600.');
}

/**
 * Until the cases begin, an uncaught error of the plugin, for example in a timer, ends the command. Later
 * such errors are collected. Unhandled rejections are then ignored, because a failing case may leave some.
 */
function watchUncaught({ package: name }: PluginManifest): { uncaught: Error[]; begins(): void } {
  const uncaught: Error[] = [];
  let begun = false;
  const end = (error: Error) => {
    if (begun) return;
    console.error(`${name} threw an uncaught error: ${error.message}`);
    process.exit(1);
  };
  process.on('unhandledRejection', end);
  process.on('uncaughtException', (error) => {
    end(error);
    uncaught.push(error);
  });
  return {
    uncaught,
    begins: () => {
      begun = true;
    },
  };
}
