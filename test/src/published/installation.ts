import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm, packInto } from '../../../scripts/packages/pack.mjs';
import { entry } from '../product.js';
import { makeWorkspace, type Workspace } from '../workspace.js';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
/** What npm would compile for some minutes; the repository's own was compiled from the same package. */
const compiled = 'node_modules/sqlite3/build/Release/node_sqlite3.node';

export interface PublishedInstallation {
  /** Outside of the repository; `node_modules` in it has what is published, from tarballs. */
  path: string;
  /** The entry of the installed server. */
  entry: string;
  /** Copies a folder of the repository into the installation; resolves to the copy. */
  take(folder: string): string;
  remove(): void;
}

/** Packs what is published and installs the tarballs, with `others`, in an empty folder. Needs the build. */
export async function installPublished(others: Record<string, string>): Promise<PublishedInstallation> {
  const workspace = makeWorkspace();
  try {
    await install(workspace, others);
  } catch (error) {
    workspace.remove();
    throw error;
  }
  const path = workspace.folder('app');
  return {
    path,
    entry: join(path, 'node_modules', '@holdfast', relative(root, entry)),
    take(folder) {
      const copy = join(path, relative(root, folder));
      cpSync(folder, copy, { recursive: true, filter: (name) => !/\/(node_modules|dist)$/.test(name) });
      return copy;
    },
    remove: workspace.remove,
  };
}

async function install(workspace: Workspace, others: Record<string, string>): Promise<void> {
  const tarballs = await packInto(workspace.folder('tarballs'));
  const ours = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]));
  const folder = workspace.folder('app');
  const manifest = { name: 'app', version: '1.0.0', private: true, dependencies: { ...others, ...ours } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const quick = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await npm(['install', ...quick], { cwd: folder });
  mkdirSync(dirname(join(folder, compiled)), { recursive: true });
  copyFileSync(join(root, compiled), join(folder, compiled));
}

export interface ExamplePackage {
  folder: string;
  name: string;
  dependencies: Record<string, string>;
}

/** The folders of `examples/` that are packages. */
export function examplePackages(): ExamplePackage[] {
  return readdirSync(join(root, 'examples'))
    .map((name) => ({ name, folder: join(root, 'examples', name) }))
    .filter(({ folder }) => existsSync(join(folder, 'package.json')))
    .map(({ name, folder }) => {
      const { dependencies, devDependencies } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      );
      return { folder, name, dependencies: { ...dependencies, ...devDependencies } };
    });
}
