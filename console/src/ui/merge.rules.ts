/** Values of a form, by their names. */
export type Values = Record<string, unknown>;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What the person changed: only that is sent. */
export const changesOf = <T extends Values>(base: T, draft: T): Partial<T> =>
  Object.fromEntries(Object.entries(draft).filter(([key, value]) => !same(value, base[key]))) as Partial<T>;

/** What the person and somebody else changed since `base` was read, and not to the same value. */
export const conflictsOf = <T extends Values>(base: T, draft: T, fresh: T): (keyof T & string)[] =>
  Object.keys(changesOf(base, draft)).filter(
    (key) => !same(fresh[key], base[key]) && !same(fresh[key], draft[key]),
  );

/** What is there now, with what the person changed. */
export const rebase = <T extends Values>(base: T, draft: T, fresh: T): T => ({
  ...fresh,
  ...changesOf(base, draft),
});
