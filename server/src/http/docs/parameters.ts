import { asOpenApi30 } from './openapi-3.0.js';
import { mapSchema, type Schema } from './schema.js';
import { nameKeyword } from './schema-names.js';

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export function parameterOf(parameter: Parameter): Parameter {
  const { [nameKeyword]: _inline, description, ...schema } = mapSchema(parameter.schema ?? {}, asOpenApi30);
  return { ...parameter, schema, ...(description ? { description } : {}) };
}
