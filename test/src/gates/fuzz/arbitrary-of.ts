import * as fc from 'fast-check';
import { z } from 'zod';
import { numberOf, textOf } from './scalars.js';

/** Values for a field of that name: instead of anything that its schema alone would allow. */
export type Pools = (field: string) => fc.Arbitrary<unknown> | undefined;

interface Place {
  pools: Pools;
  /** Name of the field, that of the list for its entries; empty at the top. */
  field: string;
}

type Schema = z.ZodTypeAny;
const tries = 8;

/** Inputs that a schema takes, most of the time: rules between fields are left to chance. Throws for unknown types. */
export function arbitraryOf(schema: Schema, place: Place): fc.Arbitrary<unknown> {
  const { core, nullable, example } = unwrap(schema);
  const pooled = isScalar(core) ? place.pools(place.field) : undefined;
  const values = pooled ?? withExample(byType(core, place), isScalar(core) ? example : undefined);
  const likely = isScalar(core) ? mostlyValid(schema, values) : values;
  return nullable ? fc.oneof({ arbitrary: likely, weight: 5 }, fc.constant(null)) : likely;
}

const isScalar = (schema: Schema) => schema instanceof z.ZodString || schema instanceof z.ZodNumber;

const withExample = (values: fc.Arbitrary<unknown>, example: unknown) =>
  example === undefined ? values : fc.oneof({ arbitrary: values, weight: 2 }, fc.constant(example));

/** The first of some candidates that the schema takes. */
const mostlyValid = (schema: Schema, values: fc.Arbitrary<unknown>) =>
  fc
    .array(values, { minLength: tries, maxLength: tries })
    .map((candidates) => candidates.find((value) => schema.safeParse(value).success) ?? candidates[0]);

/** What is inside of rules, defaults and transformations. */
function unwrap(schema: Schema): { core: Schema; nullable: boolean; example: unknown } {
  let core = schema;
  let nullable = false;
  let example: unknown;
  for (;;) {
    example ??= (core as { metaOpenApi?: { example?: unknown } }).metaOpenApi?.example;
    nullable ||= core instanceof z.ZodNullable;
    const inner = innerOf(core);
    if (inner === undefined) return { core, nullable, example };
    core = inner;
  }
}

function innerOf(schema: Schema): Schema | undefined {
  if (schema instanceof z.ZodEffects) return schema.innerType();
  if (schema instanceof z.ZodBranded) return schema.unwrap();
  if (schema instanceof z.ZodPipeline) return schema._def.in;
  if (schema instanceof z.ZodLazy) return schema.schema;
  const wraps = [z.ZodOptional, z.ZodNullable, z.ZodDefault, z.ZodCatch, z.ZodReadonly];
  return wraps.some((type) => schema instanceof type) ? schema._def.innerType : undefined;
}

function byType(schema: Schema, place: Place): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodString) return textOf(schema);
  if (schema instanceof z.ZodNumber) return numberOf(schema);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNull) return fc.constant(null);
  if (schema instanceof z.ZodUndefined || schema instanceof z.ZodVoid) return fc.constant(undefined);
  if (schema instanceof z.ZodLiteral) return fc.constant(schema.value);
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...(schema._def.values as string[]));
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return fc.jsonValue({ maxDepth: 2 });
  return ofParts(schema, place);
}

function ofParts(schema: Schema, place: Place): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodObject) return objectOf(schema.shape, place);
  if (schema instanceof z.ZodArray) {
    const { minLength, exactLength } = schema._def;
    const least = exactLength?.value ?? minLength?.value ?? 0;
    return fc.array(arbitraryOf(schema.element, place), { minLength: least, maxLength: Math.max(least, 3) });
  }
  if (schema instanceof z.ZodRecord) {
    return fc.dictionary(fc.string({ maxLength: 12 }), arbitraryOf(schema.valueSchema, place), {
      maxKeys: 3,
    });
  }
  if (schema instanceof z.ZodTuple) {
    return fc.tuple(...(schema.items as Schema[]).map((item) => arbitraryOf(item, place)));
  }
  if (schema instanceof z.ZodUnion || schema instanceof z.ZodDiscriminatedUnion) {
    return fc.oneof(...(schema.options as Schema[]).map((option) => arbitraryOf(option, place)));
  }
  throw new Error(
    `no values are known for zod's ${schema._def.typeName} (field ${place.field || 'at the top'})`,
  );
}

function objectOf(shape: Record<string, Schema>, { pools }: Place): fc.Arbitrary<unknown> {
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [field, schema] of Object.entries(shape)) fields[field] = arbitraryOf(schema, { pools, field });
  const optional = Object.keys(shape).filter((field) => shape[field]?.isOptional());
  const requiredKeys = Object.keys(shape).filter((field) => !optional.includes(field));
  const some = (chosen: string[]) => {
    const kept = Object.entries(fields).filter(
      ([field]) => requiredKeys.includes(field) || chosen.includes(field),
    );
    return fc.record(Object.fromEntries(kept), { noNullPrototype: true });
  };
  // Of many fields one is nearly always refused: a few at a time come through.
  const few = fc.subarray(optional, { maxLength: Math.min(optional.length, 3) }).chain(some);
  return fc.oneof({ arbitrary: few, weight: 2 }, fc.record(fields, { requiredKeys, noNullPrototype: true }));
}
