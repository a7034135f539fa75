import * as fc from 'fast-check';
import type { z } from 'zod';

const longText = 5000;

/** Texts by the length, the pattern and the kind that a schema asks for: also the longest, also of odd characters. */
export function textOf(schema: z.ZodString): fc.Arbitrary<string> {
  const { minLength, maxLength, isDatetime, isUUID } = schema;
  if (isDatetime) return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (isUUID) return fc.uuid();
  const patterns = schema._def.checks.flatMap((check) => (check.kind === 'regex' ? [check.regex] : []));
  const bounds = {
    minLength: minLength ?? 0,
    maxLength: Math.min(maxLength ?? longText, (minLength ?? 0) + 24),
  };
  const longest = Math.min(maxLength ?? longText, longText);
  return fc.oneof(
    { arbitrary: fc.string({ ...bounds, unit: 'grapheme-ascii' }), weight: 4 },
    { arbitrary: fc.string({ ...bounds, unit: 'grapheme' }), weight: 2 },
    fc.string({ ...bounds, unit: 'binary' }),
    fc.constant('x'.repeat(longest)),
    ...patterns.flatMap(matching),
  );
}

/** Nothing for a pattern that the library can't follow, or only in seconds: one with classes of Unicode. */
function matching(pattern: RegExp): fc.WeightedArbitrary<string>[] {
  if (pattern.source.includes('\\p{')) return [];
  try {
    return [{ arbitrary: fc.stringMatching(pattern), weight: 8 }];
  } catch {
    return [];
  }
}

/** Numbers within the bounds of a schema, the bounds themselves among them. */
export function numberOf(schema: z.ZodNumber): fc.Arbitrary<number> {
  const min = schema.minValue ?? -1_000_000;
  const max = schema.maxValue ?? 1_000_000;
  const bounds = fc.constantFrom(schema.isInt ? Math.ceil(min) : min, schema.isInt ? Math.floor(max) : max);
  if (!schema.isInt) return fc.oneof(bounds, fc.double({ min, max, noNaN: true }));
  const whole = { min: Math.max(Math.ceil(min), Number.MIN_SAFE_INTEGER), max: Math.floor(max) };
  const few = { min: whole.min, max: Math.min(whole.max, whole.min + 5) };
  return fc.oneof({ arbitrary: fc.integer(few), weight: 2 }, fc.integer(whole), bounds);
}
