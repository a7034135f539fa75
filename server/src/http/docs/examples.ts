import { examples } from '@holdfast/contracts/examples';
import type { Schema } from './schema.js';
import { nameKeyword } from './schema-names.js';

/** Stands where nothing tells an example. A complete document has none. */
export const filler = '(no example)';

export type Side = 'request' | 'answer';

/**
 * A value of the schema, made of its own examples and those of the contracts. Fields
 * that may be left out are in it where there is an example of them, in a request only one of the schema itself.
 */
export function exampleOf(schema: Schema, { side, name }: { side: Side; name: string }): unknown {
  const owner = nameOf(schema) ?? name;
  return sampleOf(schema, { side, owner, names: [owner] });
}

interface Place {
  side: Side;
  /** The named schema that it stands in. */
  owner: string;
  /** What it may be called in the list of examples, the most exact first. */
  names: string[];
}

function sampleOf(schema: Schema, place: Place): unknown {
  if (schema.example !== undefined) return schema.example;
  const known = knownExample(schema, place);
  if (known !== undefined) return known;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf?.[0]) return sampleOf(schema.oneOf[0], place);
  if (schema.type === 'object') return objectOf(schema, place);
  if (schema.type === 'array') return [sampleOf(schema.items ?? {}, place)];
  return schema.nullable ? null : scalarOf(schema);
}

function objectOf(schema: Schema, { side, owner }: Place): object {
  const { properties = {}, required = [] } = schema;
  const name = nameOf(schema) ?? owner;
  const placeOf = (field: string) => ({ side, owner: name, names: [`${name}.${field}`, field] });
  const shown = Object.entries(properties).filter(
    ([field, part]) =>
      required.includes(field) ||
      part.example !== undefined ||
      (side === 'answer' && knownExample(part, placeOf(field)) !== undefined),
  );
  return Object.fromEntries(shown.map(([field, part]) => [field, sampleOf(part, placeOf(field))]));
}

const nameOf = (schema: Schema) => schema[nameKeyword] as string | undefined;

const knownExample = (schema: Schema, { names }: Place) =>
  names.map((name) => examples[name]).find((value) => fits(schema, value));

function scalarOf({ type, minimum }: Schema): unknown {
  if (type === 'integer' || type === 'number') return minimum ?? 1;
  if (type === 'boolean') return false;
  return type === undefined ? {} : filler;
}

function fits({ type, enum: allowed, items, nullable }: Schema, value: unknown): boolean {
  if (value === undefined) return false;
  if (value === null) return nullable === true;
  if (allowed) return allowed.includes(value);
  if (Array.isArray(value)) {
    const ofItems = items?.oneOf?.[0] ?? items;
    return type === 'array' && (value.length === 0 || fits(ofItems ?? {}, value[0]));
  }
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
