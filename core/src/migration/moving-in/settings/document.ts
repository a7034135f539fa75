import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { type FieldError, invalid, say } from '../../../foundation/kernel/index.js';
import { changedSince, marksOf } from './marks.rules.js';
import { openJson, type Sealed, sealedShape } from './seal.js';
import type { Section, Value } from './section.js';
import { sections } from './sections.js';

export const format = 'holdfast-settings' as const;
export const version = 1 as const;

/** At most this many objects of one kind. */
const most = 10_000;
const head = {
  format: z.string(),
  version: z.number(),
  made_at: z.string().optional(),
  made_by: z.string().optional(),
};
const body = Object.fromEntries(
  sections.map(({ name }) => [name, z.array(z.unknown()).max(most).optional()]),
);
const documentShape = z.object({ ...head, ...body, sealed: sealedShape.optional() }).strict();
/** Objects that are looked at in one turn. */
const portion = 100;
/**
 * The secret fields of objects by section and key, with digests of the rest of the document at the time of
 * encryption.
 */
const sealedText = z.object({
  secrets: z.record(z.record(z.record(z.unknown()))),
  marks: z.record(z.record(z.string())),
});

/** The objects of one section, each with a key that no other has. */
export interface Part {
  section: Section;
  objects: { key: string; value: Value }[];
}

/** Reads a document with its sealed secrets. Throws AppError `invalid` before anything is written. */
export async function readDocument(document: unknown, passphrase: string | undefined): Promise<Part[]> {
  refuseOther(document);
  const bare = (await checkedObjects(document)) as Value & { sealed?: Sealed };
  if (passphrase === undefined) return partsOf(bare);
  if (!bare.sealed)
    throw invalid(say`settings_not_sealed: This file has no encrypted secrets: leave out the passphrase.`);
  const { secrets, marks } = checked(sealedText, await openJson(passphrase, bare.sealed));
  const parts = partsOf(bare);
  const objects = changedSince(marks, marksOf(parts, document as Value));
  if (objects.length > 0)
    throw invalid(
      say`settings_changed_since_sealed: The file was changed after it was encrypted: ${{ objects: objects.slice(0, 20) }}. Nothing was imported.`,
    );
  const whole = Object.fromEntries(
    parts.map(({ section: { name }, objects }) => [
      name,
      objects.map(({ key, value }) => ({ ...value, ...secrets[name]?.[key] })),
    ]),
  );
  const { sealed: _, ...rest } = bare;
  return partsOf(await checkedObjects({ ...rest, ...whole }));
}

function refuseOther(document: unknown): void {
  const { format: ofIt, version: itsVersion } = (document ?? {}) as Record<string, unknown>;
  if (typeof document !== 'object' || Array.isArray(document) || ofIt !== format)
    throw invalid(
      say`settings_format_unknown: This is not a settings file: its format must be "${{ format }}".`,
    );
  if (itsVersion !== version)
    throw invalid(
      say`settings_version_unknown: This file has version ${{ version: String(itsVersion).slice(0, 40) }}; this release reads version ${{ known: version }}. Import it into a newer release.`,
    );
}

/** Yields so that other requests are answered in between. */
async function checkedObjects(given: unknown): Promise<Value> {
  const document: Value = checked(documentShape, given);
  for (const { name, shape } of sections) {
    const objects = document[name] as unknown[] | undefined;
    for (let at = 0; objects && at < objects.length; at += portion) {
      await nextTurn();
      const some = objects.slice(at, at + portion);
      objects.splice(at, portion, ...some.map((one, n) => checked(shape, one, [name, at + n])));
    }
  }
  return document;
}

function checked<T>(
  shape: z.ZodType<T, z.ZodTypeDef, unknown>,
  given: unknown,
  at: (string | number)[] = [],
): T {
  const parsed = shape.safeParse(given, { path: at });
  if (parsed.success) return parsed.data;
  const errors: FieldError[] = parsed.error.issues
    .slice(0, 20)
    .map(({ path, message }) => ({ path: path.join('.'), message }));
  const [first] = errors;
  throw invalid(
    say`settings_document_invalid: The file is not valid at ${{ place: first?.path || 'the top level' }}: ${{ problem: first?.message ?? 'unknown' }}. Nothing was changed.`,
    { errors },
  );
}

export const partsOf = (document: Value): Part[] =>
  sections.map((section) => ({
    section,
    objects: withKeys(section, (document[section.name] ?? []) as Value[], (value) => value),
  }));

/** Objects may share a name: the key of the second one in document order ends with `#2`. */
export function withKeys<T>(section: Section, all: readonly T[], read: (one: T) => Value) {
  const seen = new Map<string, number>();
  return all.map((one) => {
    const value = read(one);
    const key = section.key(value);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return { one, value, key: count === 1 ? key : `${key}#${count}` };
  });
}
