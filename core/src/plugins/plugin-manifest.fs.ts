import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { type PluginKind, pluginApiVersions, pluginKinds } from '@holdfast/plugin-api';
import { satisfies, validRange } from 'semver';
import { z } from 'zod';
import { PluginError } from './plugin-step.js';

/** What a package says of itself in the `holdfast` block of its package.json. */
export interface PluginManifest {
  /** Name and version of the package. */
  package: string;
  version: string;
  kind: PluginKind;
  id: string;
  /** URL schemes of a notification transport; empty for other kinds. */
  schemes: string[];
  /** Absolute path of the module whose default export is the plugin. */
  entry: string;
  /** Absolute path of the package, without links. */
  folder: string;
}

const idPattern = /^[a-z][a-z0-9-]{0,63}$/;
const schemePattern = /^(\*|[a-z][a-z0-9+.-]*)$/;

const notOne = 'no whole number and no range of versions such as "^1"';
const isApiVersion = (value: unknown): value is string | number =>
  typeof value === 'number'
    ? Number.isInteger(value)
    : typeof value === 'string' && value !== '' && validRange(value) !== null;

const block = z.object({
  apiVersion: z.unknown().transform((value, context) => {
    if (isApiVersion(value)) return String(value);
    const message = value === undefined ? 'apiVersion is missing' : `apiVersion is ${notOne}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }),
  kind: z.string({ required_error: 'kind is missing', invalid_type_error: 'kind is no text' }),
  id: z
    .string({ required_error: 'id is missing', invalid_type_error: 'id is no text' })
    .regex(idPattern, 'id may hold only a-z, 0-9 and -'),
  schemes: z
    .array(z.string().regex(schemePattern, 'schemes holds something that is no URL scheme'), {
      invalid_type_error: 'schemes is no list',
    })
    .optional(),
});

const packageJson = z.object({
  name: z.string().min(1),
  version: z.string().min(1),
  main: z.string().optional(),
  exports: z.unknown(),
  holdfast: z.record(z.unknown()),
});

type PackageJson = z.infer<typeof packageJson>;

/**
 * Reads the manifest in a package's folder without running any of its code.
 * PluginError `no_manifest`, `unknown_kind`, `wrong_api_version`, `missing_entry`, `entry_outside`.
 */
export function readPluginManifest(folder: string): PluginManifest {
  const text = readPackageJson(folder);
  const { apiVersion, kind, id, schemes } = parseBlock(text);
  if (!isPluginKind(kind)) {
    throw new PluginError(
      'unknown_kind',
      `${text.name} is a plugin of the unknown kind "${kind}"; the kinds are ${pluginKinds.join(', ')}.`,
    );
  }
  if (!satisfies(pluginApiVersions[kind], apiVersion)) {
    throw new PluginError(
      'wrong_api_version',
      `${text.name} is made for version ${apiVersion} of the ${kind} plugin API; this server has version ` +
        `${pluginApiVersions[kind]}: install a version of ${text.name} that is made for it.`,
    );
  }
  const entry = findEntry(folder, text);
  return {
    ...{ package: text.name, version: text.version, kind, id, schemes: schemes ?? [], entry },
    folder: realpathSync(folder),
  };
}

const isPluginKind = (kind: string): kind is PluginKind => (pluginKinds as readonly string[]).includes(kind);

function readPackageJson(folder: string): PackageJson {
  let content: unknown;
  const file = join(folder, 'package.json');
  if (!existsSync(file))
    throw new PluginError('no_manifest', `${folder} is no plugin: it has no package.json.`);
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'is not JSON' : "can't be read";
    throw new PluginError('no_manifest', `${folder} is no plugin: its package.json ${reason}.`, { cause });
  }
  const parsed = packageJson.safeParse(content);
  if (parsed.success) return parsed.data;
  const name = (content as { name?: unknown } | null)?.name;
  const missing = parsed.error.issues.map((issue) => `"${issue.path.join('.')}"`).join(' and ');
  const what = missing === '""' ? 'is no object' : `lacks ${missing}`;
  throw new PluginError(
    'no_manifest',
    `${typeof name === 'string' ? name : folder} is no plugin: its package.json ${what}.`,
  );
}

function parseBlock(text: PackageJson) {
  const parsed = block.safeParse(text.holdfast);
  if (parsed.success) return parsed.data;
  const reason = parsed.error.issues.map((issue) => issue.message).join(', ');
  throw new PluginError('no_manifest', `The "holdfast" block of ${text.name} is wrong: ${reason}.`);
}

function findEntry(folder: string, text: PackageJson): string {
  const named = exportedEntry(text.exports) ?? text.main ?? 'index.js';
  const entry = resolve(folder, named);
  if (!isInside(resolve(folder), entry)) throw outside(text.name, named);
  if (!existsSync(entry)) {
    throw new PluginError(
      'missing_entry',
      `${text.name} names the entry ${named}, which is not there; build it first.`,
    );
  }
  const real = realpathSync(entry);
  if (!isInside(realpathSync(folder), real)) throw outside(text.name, named);
  return real;
}

const outside = (name: string, entry: string) =>
  new PluginError('entry_outside', `${name} names the entry ${entry}, which lies outside of the package.`);

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
};

/** The file of `exports` for `import "<package>"`, with nested conditions; null when there is none. */
function exportedEntry(exports: unknown): string | null {
  if (typeof exports === 'string') return exports;
  if (exports === null || typeof exports !== 'object' || Array.isArray(exports)) return null;
  for (const key of ['.', 'node', 'import', 'default']) {
    const found = exportedEntry((exports as Record<string, unknown>)[key]);
    if (found !== null) return found;
  }
  return null;
}
