import { isDeepStrictEqual } from 'node:util';

/**
 * Two schemas without the fields that are equal in both. They differ in the same way, and comparing them takes a
 * fraction of the time.
 */
export function differingParts(before, after) {
  if (before?.items && after?.items) {
    const [old, now] = differingParts(before.items, after.items);
    return [
      { ...before, items: old },
      { ...after, items: now },
    ];
  }
  if (!before?.properties || !after?.properties) return [before, after];
  const isRequired = ({ required = [] }, name) => required.includes(name);
  const [old, now] = [{ ...before.properties }, { ...after.properties }];
  for (const name of Object.keys(old)) {
    if (!(name in now)) continue;
    if (isRequired(before, name) !== isRequired(after, name)) continue;
    if (isDeepStrictEqual(old[name], now[name])) {
      delete old[name];
      delete now[name];
    } else [old[name], now[name]] = differingParts(old[name], now[name]);
  }
  // Whether a new field is required matters, but not what it may hold.
  for (const name of Object.keys(now)) if (!(name in before.properties)) now[name] = {};
  return [withProperties(before, old), withProperties(after, now)];
}

function withProperties({ required = [], ...schema }, properties) {
  const left = required.filter((name) => name in properties);
  return { ...schema, properties, ...(left.length > 0 ? { required: left } : {}) };
}
