import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  enum?: unknown[];
  example?: unknown;
}

/** Each option that a release knows, top down, as `hooks.ntfy.topic`; items of lists as `checks[0].name`. */
export interface SchemaFile {
  content: string;
  options: string[];
}

/** A file that sets every option of the schema of a release, with the values of its examples. */
export function fileOfSchema(path: string): SchemaFile {
  const schema = parse(readFileSync(path, 'utf8')) as Schema;
  const options: string[] = [];
  const value = sample(schema, '', options);
  return { content: stringify(value), options };
}

function sample(schema: Schema, at: string, options: string[]): unknown {
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  const { properties, items, type = [], example } = { ...first, ...schema };
  if (properties) {
    const entries = Object.entries(properties).map(([name, inner]) => {
      const key = at === '' ? name : `${at}.${name}`;
      options.push(key);
      return [name, sample(inner, key, options)];
    });
    return Object.fromEntries(entries) as unknown;
  }
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === 'array') {
    const [one] = items?.oneOf ?? items?.anyOf ?? [];
    const inner = { ...one, ...items };
    if (inner.properties) return [sample(inner, `${at}[0]`, options)];
    return Array.isArray(example) ? example : [example ?? 'text'];
  }
  if (example !== undefined) return example;
  return { boolean: true, integer: 3, number: 3, object: { name: 'value' } }[kind ?? ''] ?? 'text';
}
