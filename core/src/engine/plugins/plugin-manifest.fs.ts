import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { type PluginKind, pluginApiVersions, pluginKinds } from '@holdfast/plugin-api';
import { satisfies, validRange } from 'semver';
import { z } from 'zod';
import { PluginError } from './plugin-step.js';

/** The `holdfast` block of a package.json, with the name and paths of the package. */
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
  /** Absolute path of the package, with symlinks resolved. */
  folder: string;
}

const idPattern = /^[a-z][a-z0-9-]{0,63}$/;
const schemePattern = /^(\*|[a-z][a-z0-9+.-]*)$/;

const invalidVersion = 'neither a whole number nor a version range such as "^1"';
const isApiVersion = (value: unknown): value is string | number =>
  typeof value === 'number'
    ? Number.isInteger(value)
    : typeof value === 'string' && value !== '' && validRange(value) !== null;

const block = z.object({
  apiVersion: z.unknown().transform((value, context) => {
    if (isApiVersion(value)) return String(value);
    const message = value === undefined ? 'apiVersion is missing' : `apiVersion is ${invalidVersion}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }),
  kind: z.string({ required_error: 'kind is missing', invalid_type_error: 'kind is not a string' }),
  id: z
    .string({ required_error: 'id is missing', invalid_type_error: 'id is not a string' })
    .regex(idPattern, 'id may contain only a-z, 0-9 and -'),
  schemes: z
    .array(z.string().regex(schemePattern, 'schemes contains something that is not a URL scheme'), {
      invalid_type_error: 'schemes is not a list',
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
 * Reads the manifest in the folder of a package without running its code. Throws PluginError `no_manifest`,
 * `unknown_kind`, `wrong_api_version`, `missing_entry`, `entry_outside`.
 */
export function readPluginManifest(folder: string): PluginManifest {
  const text = readPackageJson(folder);
  const { apiVersion, kind, id, schemes } = parseBlock(text);
  if (!isPluginKind(kind)) {
    throw new PluginError(
      'unknown_kind',
      `${text.name} has the unknown kind "${kind}": use one of ${pluginKinds.join(', ')}.`,
    );
  }
  if (!satisfies(pluginApiVersions[kind], apiVersion)) {
    throw new PluginError(
      'wrong_api_version',
      `${text.name} needs version ${apiVersion} of the ${kind} plugin API, but this server has version ` +
        `${pluginApiVersions[kind]}: install a version of ${text.name} that supports it.`,
    );
  }
  const entry = findEntry(folder, text);
  return {
    package: text.name,
    version: text.version,
    kind,
    id,
    schemes: schemes ?? [],
    entry,
    folder: realpathSync(folder),
  };
}

const isPluginKind = (kind: string): kind is PluginKind => (pluginKinds as readonly string[]).includes(kind);

function readPackageJson(folder: string): PackageJson {
  let content: unknown;
  const file = join(folder, 'package.json');
  if (!existsSync(file))
    throw new PluginError('no_manifest', `${folder} is not a plugin: it has no package.json.`);
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'is not JSON' : "can't be read";
    throw new PluginError('no_manifest', `${folder} is not a plugin: its package.json ${reason}.`, { cause });
  }
  const parsed = packageJson.safeParse(content);
  if (parsed.success) return parsed.data;
  const name = (content as { name?: unknown } | null)?.name;
  const missing = parsed.error.issues.map((issue) => `"${issue.path.join('.')}"`).join(' and ');
  const what = missing === '""' ? 'is not an object' : `lacks ${missing}`;
  throw new PluginError(
    'no_manifest',
    `${typeof name === 'string' ? name : folder} is not a plugin: its package.json ${what}.`,
  );
}

function parseBlock(text: PackageJson) {
  const parsed = block.safeParse(text.holdfast);
  if (parsed.success) return parsed.data;
  const reason = parsed.error.issues.map((issue) => issue.message).join(', ');
  throw new PluginError('no_manifest', `The "holdfast" block of ${text.name} is not valid: ${reason}.`);
}

function findEntry(folder: string, text: PackageJson): string {
  const named = exportedEntry(text.exports) ?? text.main ?? 'index.js';
  const entry = resolve(folder, named);
  if (!isInside(resolve(folder), entry)) throw outside(text.name, named);
  if (!existsSync(entry)) {
    throw new PluginError(
      'missing_entry',
      `${text.name} has the entry ${named}, which does not exist: build it first.`,
    );
  }
  const real = realpathSync(entry);
  if (!isInside(realpathSync(folder), real)) throw outside(text.name, named);
  return real;
}

const outside = (name: string, entry: string) =>
  new PluginError('entry_outside', `${name} has the entry ${entry}, which is outside the package.`);

const isInside = (folder: string, path: string): boolean => {
  const inside = relative(folder, path);
  return inside !== '' && !inside.startsWith('..') && !isAbsolute(inside);
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
