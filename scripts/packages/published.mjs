import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare/root.mjs';

/**
 * The packages that are published, each after those that it depends on.
 * @returns {{ folder: string, path: string, manifest: Record<string, any> }[]} `path` below the repository
 */
export function publishedPackages() {
  const plugins = readdirSync(join(root, 'plugins'))
    .filter((name) => existsSync(join(root, 'plugins', name, 'package.json')))
    .map((name) => `plugins/${name}`);
  const ordered = new Set([
    'contracts',
    'plugins/api',
    'client',
    'cli',
    'core',
    ...plugins,
    'console',
    'server',
  ]);
  return [...ordered].map((path) => {
    const folder = join(root, path);
    return { folder, path, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) };
  });
}

/** Whether programs import the package: the web console is a page with its files. */
export const isCode = ({ exports }) => Object.values(exports).some((door) => door.default);
export const codePackages = () => publishedPackages().filter(({ manifest }) => isCode(manifest));
