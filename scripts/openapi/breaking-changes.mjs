import { isDeepStrictEqual } from 'node:util';
import openApiDiff from 'openapi-diff';
import { differingParts } from './differing-parts.mjs';
import { operationsOf } from './operations.mjs';

/**
 * Returns one sentence for each change that would break a client generated from `before`. The comparison is made by
 * openapi-diff, which checks only bodies of operations and knows neither enums nor null. So all inputs of an
 * operation are passed to it as one schema, and enums and null are expressed in constructs that it knows.
 * @param {object} before an OpenAPI 3.0 document
 * @param {object} after another one
 * @returns {Promise<string[]>}
 */
export async function breakingChanges(before, after) {
  const [old, now] = [operationsOf(before), operationsOf(after)];
  return [...lostNames({ before, after, old, now }), ...(await judged(old, now))];
}

/** Names from which generators derive methods, modules and types. */
function lostNames({ before, after, old, now }) {
  const renamed = [...old].flatMap(([key, { name }]) => {
    const found = now.get(key)?.name;
    return found === undefined || found === name ? [] : [`${key} was renamed from ${name} to ${found}.`];
  });
  const left = after.components?.schemas ?? {};
  const gone = Object.keys(before.components?.schemas ?? {}).filter((name) => !(name in left));
  return [...renamed, ...gone.map((name) => `The schema ${name} was removed.`)];
}

async function judged(old, now) {
  // openapi-diff is slow, so identical operations are skipped.
  const changed = [...old.keys()].filter(
    (key) => !isDeepStrictEqual(old.get(key).operation, now.get(key)?.operation),
  );
  if (changed.length === 0) return [];
  const pairs = changed.map((key) => [key, differing(old.get(key), now.get(key))]);
  const { breakingDifferences = [] } = await openApiDiff.diffSpecs({
    sourceSpec: specificationOf('before', new Map(pairs.map(([key, [before]]) => [key, before]))),
    destinationSpec: specificationOf('after', new Map(pairs.map(([key, [, after]]) => [key, after]))),
  });
  const places = breakingDifferences.map(placeOf);
  const gone = changed.filter((key) => !now.has(key)).map((key) => `${key} was removed.`);
  return [...new Set([...gone, ...places.flatMap((place) => sentencesOf(place, old, now))])];
}

/** An operation before and now, without what is equal in both bodies. */
function differing(before, after) {
  if (!after) return [before, after];
  const [old, now] = [structuredClone(before), structuredClone(after)];
  const reduce = (one, other) => {
    const [part, counterpart] = [one, other].map((body) => body?.content['application/json']);
    if (part && counterpart)
      [part.schema, counterpart.schema] = differingParts(part.schema, counterpart.schema);
  };
  reduce(old.operation.requestBody, now.operation.requestBody);
  for (const status of Object.keys(old.operation.responses))
    reduce(old.operation.responses[status], now.operation.responses[status]);
  return [old, now];
}

/** The location of a difference in openapi-diff's documents: `paths./api/x.get.responses.200.content…`. */
function placeOf({ code, sourceSpecEntityDetails, destinationSpecEntityDetails }) {
  const [{ location }] = [...sourceSpecEntityDetails, ...destinationSpecEntityDetails];
  const [, path, method = '', part = '', status] =
    /^paths\.(\/.*?)(?:\.(get|put|post|delete|patch)(?:\.(requestBody|responses)(?:\.(\d+))?)?.*)?$/.exec(
      location,
    ) ?? [];
  return { code, key: `${method.toUpperCase()} ${path}`, part, status };
}

function sentencesOf({ code, key, part, status }, old, now) {
  // A removed operation has its own sentence already.
  if (!now.has(key)) return [];
  if (code === 'response.status-code.remove') return [`${key} no longer answers ${status}.`];
  const schemaOf = (operations) => {
    const { requestBody, responses } = operations.get(key).operation;
    const body = part === 'requestBody' ? requestBody : responses[status];
    return body?.content?.['application/json'].schema;
  };
  const where = differences(schemaOf(old), schemaOf(now)).slice(0, 5).join(', ');
  return part === 'requestBody'
    ? [`${key} rejects requests that it accepted before: see ${where}.`]
    : [`${key} may answer ${status} with data that clients do not expect: see ${where}.`];
}

/** `value` stands between a field of a request and its schema. */
const placeBelow = (place, name) => (name === 'value' ? place : place ? `${place}.${name}` : name);

/** The fields in which two schemas differ, such as `archives[].name`. */
function differences(before, after, place = '') {
  if (isDeepStrictEqual(before, after)) return [];
  if (!before?.type || before.type !== after?.type) return [place];
  const names = Object.keys({ ...before.properties, ...after.properties });
  const below = names.flatMap((name) =>
    differences(before.properties?.[name], after.properties?.[name], placeBelow(place, name)),
  );
  const inItems = before.items ? differences(before.items, after.items, `${place}[]`) : [];
  const optional = names.filter(
    (name) => before.required?.includes(name) !== after.required?.includes(name) && name in before.properties,
  );
  const found = [...below, ...inItems, ...optional.map((name) => `${place}.${name} (required or not)`)];
  return found.length > 0 ? [...new Set(found)] : [place];
}

function specificationOf(location, operations) {
  const paths = {};
  for (const found of operations.values()) {
    if (!found) continue;
    paths[found.path] ??= {};
    paths[found.path][found.method] = found.operation;
  }
  const document = { openapi: '3.0.3', info: { title: location, version: '1' }, paths };
  return { content: JSON.stringify(document), location, format: 'openapi3' };
}
