import * as contracts from '@holdfast/contracts';
import { isZodType } from '@ts-rest/core';
import type { ZodTypeAny } from 'zod';

/** Stands in a generated schema until the schema is moved to the components under that name. */
export const nameKeyword = 'x-schema';

/**
 * Gives every object and enumeration that the contracts export its name there, in Pascal case. What is made from
 * one by `extend`, `partial` or `openapi` has no name of its own.
 */
export function nameSchemas(): void {
  for (const [name, value] of Object.entries(contracts)) {
    if (isZodType(value) && isWorthAName(value as ZodTypeAny)) mark(value as ZodTypeAny, pascalCase(name));
  }
}

function isWorthAName(schema: ZodTypeAny): boolean {
  const { typeName, schema: inner } = schema._def;
  if (typeName === 'ZodEffects') return isWorthAName(inner);
  return typeName === 'ZodObject' || typeName === 'ZodEnum';
}

function mark(schema: ZodTypeAny, name: string): void {
  const { metaOpenApi } = schema as { metaOpenApi?: object };
  Object.assign(schema, { metaOpenApi: { ...metaOpenApi, [nameKeyword]: name } });
}

export const pascalCase = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
