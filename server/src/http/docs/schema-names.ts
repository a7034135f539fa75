import * as contracts from '@holdfast/contracts';
import { isZodType } from '@ts-rest/core';
import type { ZodTypeAny } from 'zod';

/** Marks a generated schema until it is moved to the components under that name. */
export const nameKeyword = 'x-schema';

/**
 * Names every object and enumeration that the contracts export after its export, in Pascal case. Schemas
 * derived by `extend`, `partial` or `openapi` get no name.
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
