export type Values = Record<string, unknown>;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The user's changes; only these are sent. */
export const changesOf = <T extends Values>(base: T, draft: T): Partial<T> =>
  Object.fromEntries(Object.entries(draft).filter(([key, value]) => !same(value, base[key]))) as Partial<T>;

/** Fields that the user and another one changed since `base` was read, to different values. */
export const conflictsOf = <T extends Values>(base: T, draft: T, fresh: T): (keyof T & string)[] =>
  Object.keys(changesOf(base, draft)).filter(
    (key) => !same(fresh[key], base[key]) && !same(fresh[key], draft[key]),
  );

/** The current values with the user's changes. */
export const rebase = <T extends Values>(base: T, draft: T, fresh: T): T => ({
  ...fresh,
  ...changesOf(base, draft),
});
