import type { Redactor } from '@holdfast/core/server';
import type { Log, PluginDefinition, PluginKind } from '@holdfast/plugin-api';
import { secretsOfUri } from '../adapters/secret-uri.js';
import { nearestOf } from '../other-variables.js';
import { readingsOf } from './variable-readings.js';

type Schema = PluginDefinition['configuration'];
interface Plugin {
  kind: PluginKind;
  id: string;
}

/** The prefix of the variables of one plugin. */
export const variablePrefix = ({ kind, id }: Plugin): string =>
  `PLUGIN_${kind}_${id}_`.replaceAll('-', '_').toUpperCase();

/** `maxSizeMb` is MAX_SIZE_MB. */
export const variableOf = (key: string): string =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase();

const keyOf = (rest: string) =>
  rest.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const secretName = /(^|_)(pass|password|passwd|passphrase|pwd|secret|token|key|credentials?|auth)(_|$)/i;

/** Configuration of added plugins from the variables `PLUGIN_<KIND>_<ID>_…`. */
export class PluginConfiguration {
  readonly #known: string[] = [];
  readonly #used = new Set<string>();

  constructor(
    private readonly variables: Readonly<Record<string, string>>,
    private readonly plugins: readonly Plugin[],
    private readonly redactor: Pick<Redactor, 'protect'>,
  ) {
    for (const [name, value] of Object.entries(variables)) this.#protect(name, value);
  }

  /**
   * Converts each variable to the first form that the schema accepts, or nearly accepts; otherwise it stays
   * text.
   */
  read(plugin: Plugin, schema: Schema): Record<string, unknown> {
    const prefix = variablePrefix(plugin);
    const shape = shapeOf(schema);
    if (shape) this.#known.push(...Object.keys(shape).map((key) => prefix + variableOf(key)));
    const given = Object.entries(this.variables)
      .filter(([name]) => name.startsWith(prefix) && this.#owner(name) === prefix)
      .map(([name, text]) => ({ name, text, key: keyIn(shape, name.slice(prefix.length)) }));
    const configuration: Record<string, unknown> = {};
    for (const { name, text, key } of given) {
      if (key === null) continue;
      this.#used.add(name);
      configuration[key] = text;
      if (isSecret(shape?.[key])) this.redactor.protect(text);
    }
    for (const { text, key } of given) {
      if (key === null) continue;
      const readings = readingsOf(text);
      const issuesOf = readings.map((value) => issuesWith(schema, { ...configuration, [key]: value }, key));
      const fitting = issuesOf.findIndex((issues) => issues.length === 0);
      // The type is right but the value is not: then the schema's message about the value is helpful.
      const nearest = issuesOf.findIndex((issues) => !issues.some(isOfType));
      const reading = readings[fitting < 0 ? nearest : fitting];
      if (reading !== undefined) configuration[key] = reading;
    }
    return configuration;
  }

  /** Warns about variables that no plugin uses. */
  warnOfRest(log: Log): void {
    for (const variable of Object.keys(this.variables)) {
      if (this.#used.has(variable)) continue;
      log.warn('no plugin uses this variable', { variable, nearest: nearestOf(variable, this.#known) });
    }
  }

  /** The longest prefix wins: PLUGIN_JOBS_A_B_URL belongs to `jobs-a-b`, not to `jobs-a`. */
  #owner(variable: string): string | undefined {
    return this.plugins
      .map(variablePrefix)
      .filter((prefix) => variable.startsWith(prefix))
      .sort((a, b) => b.length - a.length)[0];
  }

  #protect(name: string, value: string): void {
    const secrets = secretName.test(name) ? [value] : [];
    const [whole, ...parts] = secretsOfUri(value);
    if (whole !== undefined && parts.length > 0) secrets.push(whole, ...parts);
    if (/^\s*[[{]/.test(value)) secrets.push(...secretsInJson(value));
    for (const secret of secrets) if (secret !== '') this.redactor.protect(secret);
  }
}

type Issue = { code: string; path: readonly unknown[]; expected?: unknown };

/** The schema's issues with this key. */
function issuesWith(schema: Schema, configuration: object, key: string): Issue[] {
  const parsed = schema.safeParse(configuration);
  return parsed.success ? [] : parsed.error.issues.filter(({ path }) => path[0] === key);
}

/** zod also reports a fraction where an integer is expected as a type error. */
const isOfType = ({ code, expected }: Issue): boolean =>
  code === 'invalid_union' || (code === 'invalid_type' && !/^int/.test(String(expected)));

/** The keys of an object schema, also inside refinements; null if they can't be determined. */
function shapeOf(schema: unknown): Record<string, unknown> | null {
  const { shape, _def } = (schema ?? {}) as {
    shape?: unknown;
    _def?: { schema?: unknown; innerType?: unknown };
  };
  if (typeof shape === 'object' && shape !== null) return shape as Record<string, unknown>;
  const inner = _def?.schema ?? _def?.innerType;
  return inner === undefined ? null : shapeOf(inner);
}

function keyIn(shape: Record<string, unknown> | null, rest: string): string | null {
  if (shape === null) return keyOf(rest);
  return Object.keys(shape).find((key) => variableOf(key) === rest) ?? null;
}

/** As in `z.string().describe('secret')`. */
const isSecret = (schema: unknown): boolean => {
  const { description } = (schema ?? {}) as { description?: unknown };
  return typeof description === 'string' && /^secret\b/i.test(description);
};

function secretsInJson(text: string): string[] {
  const secrets: string[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (typeof value === 'string' && secretName.test(variableOf(key))) secrets.push(value);
      return value;
    });
  } catch {
    return [];
  }
  return secrets;
}
