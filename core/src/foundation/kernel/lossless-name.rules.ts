const undecodable = /[\ud800-\udfff]/gu;
/** A cheap first test for most names. It also matches valid pairs. */
const anySurrogate = /[\ud800-\udfff]/;

/** True when the name contains bytes that are not UTF-8. They are stored as lone surrogates. */
export const hasUndecodable = (name: string): boolean =>
  anySurrogate.test(name) && name.search(undecodable) >= 0;

/** The name for JSON: each byte that is not UTF-8 becomes the six characters `\udcXX`. */
export const escapeName = (name: string): string =>
  !anySurrogate.test(name)
    ? name
    : name.replace(undecodable, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
