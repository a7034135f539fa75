import type { Schema } from './schema.js';

/** Used if no example is known. A complete document has none. */
export const filler = '(no example)';

/** A value of the schema. Includes optional fields only if they have examples. */
export function exampleOf(schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf?.[0]) return exampleOf(schema.oneOf[0]);
  if (schema.type === 'object') return objectOf(schema);
  if (schema.type === 'array') return [exampleOf(schema.items ?? {})];
  return schema.nullable ? null : scalarOf(schema);
}

function objectOf({ properties = {}, required = [] }: Schema): object {
  const shown = Object.entries(properties).filter(
    ([field, part]) => required.includes(field) || part.example !== undefined,
  );
  return Object.fromEntries(shown.map(([field, part]) => [field, exampleOf(part)]));
}

function scalarOf({ type, minimum }: Schema): unknown {
  if (type === 'integer' || type === 'number') return minimum ?? 1;
  if (type === 'boolean') return false;
  return type === undefined ? {} : filler;
}
