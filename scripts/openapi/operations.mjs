/**
 * The operations of an OpenAPI document by `METHOD path`: each with resolved references, one JSON schema for all
 * inputs and one for each answer below 300.
 * @returns {Map<string, { path: string, method: string, name: string, operation: object }>} `name`: group and id
 */
export function operationsOf(document) {
  const operations = new Map();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const key = `${method.toUpperCase()} ${path}`;
      const name = [operation.tags?.[0], operation.operationId].join(' / ');
      operations.set(key, { path, method, name, operation: judgeable(operation, document) });
    }
  }
  return operations;
}

function judgeable(operation, document) {
  const resolve = (part) => (part.$ref ? resolve(lookUp(document, part.$ref)) : part);
  // All errors have the same body, and which of them occur is not part of the contract.
  const promised = Object.entries(operation.responses).filter(([status]) => status < '300');
  const responses = promised.map(([status, response]) => {
    const { content = {} } = resolve(response);
    const schema = closed(schemasOf(content, (part) => comparable(part, { resolve, open: true })));
    return [status, { description: status, content: { 'application/json': { schema } } }];
  });
  const schema = requestSchema(operation, resolve);
  return {
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: Object.fromEntries(responses),
  };
}

/** Parameters, body and whether a token is required, as the properties of one object. */
function requestSchema({ parameters = [], requestBody, security = [] }, resolve) {
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  const add = (name, part, required) => {
    schema.properties[name] = comparable(part, { resolve, open: false });
    if (required) schema.required.push(name);
  };
  for (const { name, in: place, required, schema: part } of parameters.map(resolve)) {
    add(`${place} ${name}`, part, required);
  }
  if (security.length > 0) add('token', {}, true);
  if (requestBody) {
    const { content, required } = resolve(requestBody);
    for (const [type, media] of Object.entries(content)) add(type, media.schema, required);
  }
  return withoutEmpty(schema);
}

function lookUp(document, reference) {
  const found = reference
    .slice('#/'.length)
    .split('/')
    .reduce((part, name) => part?.[name], document);
  if (!found) throw new Error(`The document has no ${reference}.`);
  return found;
}

const schemasOf = (content, change) =>
  Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, change(schema)]));

const closed = (properties) =>
  withoutEmpty({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });

const withoutEmpty = ({ required, ...schema }) => ({
  ...schema,
  ...(required.length > 0 ? { required } : {}),
});

/**
 * An equivalent schema in constructs that openapi-diff knows. An enum becomes an object with its values as optional
 * properties, and null a second property beside the value: adding one enlarges the set, removing one reduces it.
 * `open`: unknown fields are allowed, as in answers; otherwise a new field is one that clients may now send. There
 * each value is a property, because requests may begin to accept null.
 */
function comparable(schema, { resolve, open }) {
  const { nullable, ...whole } = normalised(resolve(schema));
  const value = valueSchema(whole, { resolve, open });
  if (!nullable && open) return value;
  const properties = nullable ? { value, null: {} } : { value };
  return { type: 'object', properties, additionalProperties: false };
}

function valueSchema(whole, { resolve, open }) {
  const inner = (part) => comparable(part, { resolve, open });
  if (whole.allOf?.length === 1) {
    return valueSchema(normalised(resolve(whole.allOf[0])), { resolve, open });
  }
  if (whole.enum) {
    const properties = Object.fromEntries(whole.enum.map((value) => [`${value}`, {}]));
    return { type: 'object', properties, additionalProperties: false };
  }
  const made = {};
  for (const word of ['type', 'required', 'minimum', 'maximum', 'minLength', 'maxLength']) {
    if (whole[word] !== undefined) made[word] = whole[word];
  }
  // Null stands beside the value already, so that a value and one of several values compare.
  if (whole.oneOf) {
    made.anyOf = whole.oneOf.map((part) => valueSchema(normalised(resolve(part)), { resolve, open }));
  }
  if (whole.items) made.items = inner(whole.items);
  if (whole.properties) {
    made.properties = Object.fromEntries(
      Object.entries(whole.properties).map(([k, part]) => [k, inner(part)]),
    );
  }
  if (whole.type === 'object' && !open) made.additionalProperties = whole.properties === undefined;
  return made;
}

/** With `nullable` only at the top, wherever it is written, and booleans without the texts that queries have for them. */
function normalised({ oneOf, enum: listed, ...schema }) {
  const values = schema.type === 'boolean' && listed?.includes('true') ? undefined : listed;
  const nullable = schema.nullable || oneOf?.some((part) => part.nullable);
  return {
    ...schema,
    ...(nullable ? { nullable } : {}),
    ...(oneOf ? { oneOf: oneOf.map(({ nullable: _hoisted, ...part }) => part) } : {}),
    ...(values ? { enum: values.filter((value) => value !== null) } : {}),
  };
}
