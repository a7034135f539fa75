const undecodable = /[\ud800-\udfff]/gu;
/** Rules out most names at once: pairs are found by it too. */
const anySurrogate = /[\ud800-\udfff]/;

/** True when the name holds bytes that aren't UTF-8, which stand in it as lone surrogates. */
export const hasUndecodable = (name: string): boolean =>
  anySurrogate.test(name) && name.search(undecodable) >= 0;

/** The name as it goes over the wire: each byte that isn't UTF-8 as the six characters `\udcXX`. */
export const escapeName = (name: string): string =>
  !anySurrogate.test(name)
    ? name
    : name.replace(undecodable, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
