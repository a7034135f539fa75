import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type PluginKind, pluginApiVersions } from '@holdfast/plugin-api';
import { root } from '../import-check.js';

export interface PackageText {
  /** The `holdfast` block over the usual one; null: none. */
  holdfast?: Record<string, unknown> | null;
  /** More of package.json. */
  more?: Record<string, unknown>;
  /** The whole package.json as it stands; null: there is none. */
  manifest?: string | null;
  /** index.js. */
  code?: string;
}

/** A folder of plugin packages that find the published packages, as if those were installed beside them. */
export class PluginFolder {
  constructor(readonly path: string) {
    mkdirSync(path, { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  }

  /** Writes one package and resolves to its folder. */
  add(name: string, { holdfast = {}, more, manifest, code = '' }: PackageText): string {
    const folder = join(this.path, name);
    const kind = (holdfast?.kind ?? 'notify') as PluginKind;
    const apiVersion = `^${pluginApiVersions[kind] ?? '1.0.0'}`;
    const usual = { apiVersion, kind: 'notify', id: name, schemes: [name] };
    const block = holdfast === null ? {} : { holdfast: { ...usual, ...holdfast } };
    const text = { name, version: '1.0.0', type: 'module', exports: './index.js', ...block, ...more };
    put(join(folder, 'index.js'), code);
    if (manifest !== null) put(join(folder, 'package.json'), manifest ?? JSON.stringify(text));
    return folder;
  }
}

export function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The code of a plugin: `port` is the text of what `create` gives. */
export const pluginCode = ({
  kind = 'notify',
  port,
  schema = 'z.object({})',
}: {
  kind?: string;
  port: string;
  schema?: string;
}): string => `
import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';

export default definePlugin({
  kind: '${kind}',
  configuration: ${schema},
  create: ({ configuration, log, dataFolder, fetch }) => (${port}),
});
`;
