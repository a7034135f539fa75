import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PluginKind } from '@holdfast/plugin-api';
import type { Workspace } from './workspace.js';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const rules = join(root, '.dependency-cruiser.cjs');

export interface Violation {
  rule: string;
  from: string;
  to: string;
}

/** Runs the import check of `npm run lint` in a folder and returns what it finds. */
export async function checkImports(folder: string, sources: string[]): Promise<Violation[]> {
  const program = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const parameters = [
    program,
    '--config',
    join(folder, '.dependency-cruiser.cjs'),
    '--output-type',
    'json',
    ...sources,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, parameters, {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { summary } = JSON.parse(stdout) as {
    summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
  };
  if (summary.totalCruised === 0) throw new Error('the check looked at no file');
  return summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
}

/** A tiny tree under the same rules: packages of the real names, and libraries that are empty. */
export function makeTinyTree(workspace: Workspace, libraries: string[]): string {
  const folder = workspace.folder('tree');
  cpSync(rules, join(folder, '.dependency-cruiser.cjs'));
  cpSync(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  for (const name of libraries) {
    put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    put(`node_modules/${name}/index.js`, 'module.exports = {};');
  }
  const dependencies = Object.fromEntries(libraries.map((name) => [name, '1.0.0']));
  for (const room of [
    'contracts',
    'client',
    'cli',
    'core',
    'server',
    'console',
    'plugins/storage-a',
    'plugins/storage-sequelize',
    'plugins/cache-b',
    'plugins/api',
    'plugins/testkit',
  ]) {
    put(`${room}/package.json`, JSON.stringify({ name: room, version: '1.0.0', dependencies }));
    put(`${room}/src/index.ts`, 'export const here = true;\n');
  }
  put('core/src/server.ts', 'export const door = true;\n');
  put('client/src/answers.ts', 'export const here = true;\n');
  for (const file of ['app/app', 'foundation/ports/filesystem', 'backup/backups/index', 'engine/jobs/own']) {
    put(`core/src/${file}.ts`, 'export const here = true;\n');
  }
  for (const file of [
    'routes',
    'frame/frame',
    'screens/home',
    'shell/router',
    'hub/link',
    'api/api',
    'i18n/format',
  ]) {
    put(`console/src/${file}.ts`, 'export const here = true;\n');
  }
  put('core/src/engine/jobs/tables.ts', "export const own = entity('own', {});\n");
  put('core/src/foundation/events/tables.ts', "export const events = entity('event', {});\n");
  return folder;
}

export interface PackageManifest {
  name: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  holdfast?: { apiVersion: number; kind: PluginKind; id: string };
}

export function readManifest(path: string): PackageManifest {
  return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as PackageManifest;
}
