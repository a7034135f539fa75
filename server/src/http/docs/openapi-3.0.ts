import type { Schema } from './schema.js';

const textOnly = ['pattern', 'minLength', 'maxLength', 'format'];

/** What the generator writes otherwise than OpenAPI 3.0 has it. For `mapSchema`. */
export function asOpenApi30(schema: Schema): Schema {
  const { exclusiveMinimum, discriminator: _byInlineSchemas, ...rest } = schema;
  const made: Schema = { ...rest };
  if (typeof exclusiveMinimum === 'number') made.minimum = exclusiveMinimum + 1;
  if (made.type !== undefined && made.type !== 'string') for (const word of textOnly) delete made[word];
  // Anything at all, null as well.
  if (isAnything(made)) delete made.nullable;
  return made;
}

/** Whether a schema holds nothing that a value could break. */
export const isAnything = ({ nullable: _allowed, ...rest }: Schema): boolean =>
  Object.keys(rest).length === 0;
