import { isDeepStrictEqual } from 'node:util';
import { mapSchema, type Schema } from './schema.js';
import { nameKeyword } from './schema-names.js';

/**
 * Keys that belong to the use of a schema instead of the named schema, so they are kept next to the
 * reference.
 */
const ofThePlace = ['nullable', 'description', 'default', 'example'] as const;

/** Collects the named schemas of the document. */
export class Components {
  readonly schemas: Record<string, Schema> = {};

  /** The schema with references to everything that has a name. */
  take(schema: Schema): Schema {
    return mapSchema(schema, (part) => {
      const { [nameKeyword]: name, ...unnamed } = part;
      return typeof name === 'string' ? this.#refer(name, unnamed) : part;
    });
  }

  /** The same for a whole body, which gets `name` if it has none. */
  takeBody(schema: Schema, name: string): Schema {
    const isObject = schema.properties !== undefined || schema.oneOf !== undefined;
    return this.take(isObject && !(nameKeyword in schema) ? { ...schema, [nameKeyword]: name } : schema);
  }

  #refer(name: string, schema: Schema): Schema {
    const own: Schema = { ...schema };
    const beside: Schema = {};
    for (const word of ofThePlace) {
      // Of a list of values it is always their own.
      if (own[word] === undefined || (word === 'example' && own.enum)) continue;
      Object.assign(beside, { [word]: own[word] });
      delete own[word];
    }
    const known = this.schemas[name];
    if (known === undefined) this.schemas[name] = own;
    else if (!isDeepStrictEqual(known, own)) throw new Error(`Two different schemas are named ${name}.`);
    const reference = { $ref: `#/components/schemas/${name}` };
    if (Object.keys(beside).length === 0) return reference;
    // A reference would allow only the listed values.
    if (beside.nullable && own.enum) return { ...own, ...beside, enum: [...own.enum, null] };
    // OpenAPI 3.0 ignores `nullable` without a type.
    const typed = beside.nullable && own.type ? { type: own.type } : {};
    return { ...typed, ...beside, allOf: [reference] };
  }
}
