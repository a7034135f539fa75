/** The parts of an OpenAPI 3.0 schema object that the documentation uses. */
export interface Schema {
  type?: string;
  format?: string;
  description?: string;
  example?: unknown;
  default?: unknown;
  enum?: unknown[];
  nullable?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  [keyword: string]: unknown;
}

/** The schema with every part below it, and then itself, put through `change`. */
export function mapSchema(schema: Schema, change: (part: Schema) => Schema): Schema {
  const below = (part: Schema) => mapSchema(part, change);
  const { properties, items, additionalProperties, oneOf, anyOf, allOf } = schema;
  return change({
    ...schema,
    ...(properties ? { properties: mapValues(properties, below) } : {}),
    ...(items ? { items: below(items) } : {}),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: below(additionalProperties) }
      : {}),
    ...(oneOf ? { oneOf: oneOf.map(below) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(below) } : {}),
    ...(allOf ? { allOf: allOf.map(below) } : {}),
  });
}

const mapValues = <T, R>(record: Record<string, T>, change: (value: T, key: string) => R) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
