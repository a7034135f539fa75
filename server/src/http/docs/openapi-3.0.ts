import type { Schema } from './schema.js';

const textOnly = ['pattern', 'minLength', 'maxLength', 'format'];

/** Converts the output of the generator to OpenAPI 3.0. For `mapSchema`. */
export function asOpenApi30(schema: Schema): Schema {
  const { exclusiveMinimum, discriminator: _byInlineSchemas, ...rest } = schema;
  const made: Schema = { ...rest };
  if (typeof exclusiveMinimum === 'number') made.minimum = exclusiveMinimum + 1;
  if (made.type !== undefined && made.type !== 'string') for (const word of textOnly) delete made[word];
  // The texts that a query has for it.
  if (made.type === 'boolean' && made.enum?.some((value) => typeof value === 'string')) delete made.enum;
  if (made.nullable && made.type === undefined && made.oneOf) {
    made.oneOf = made.oneOf.map((part, index) => (index === 0 ? { ...part, nullable: true } : part));
    delete made.nullable;
  }
  // Anything at all, null as well.
  if (isAnything(made)) delete made.nullable;
  return made;
}

/** Whether a schema holds nothing that a value could break. */
export const isAnything = ({ nullable: _allowed, ...rest }: Schema): boolean =>
  Object.keys(rest).length === 0;
