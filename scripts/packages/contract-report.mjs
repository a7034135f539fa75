import { describeSchema } from './describe-schema.mjs';

/** Every route of the contract with its schemas, and the names of all exports. */
export function contractReport(module) {
  const names = new Map(
    Object.entries(module).flatMap(([name, value]) => (value?._def?.typeName ? [[value, name]] : [])),
  );
  const routes = [...routesOf(module.contract)].map(([name, route]) => describeRoute(name, route, names));
  const schemas = [...names].map(([schema, name]) => `${name}: ${describeSchema(schema, names)}`).sort();
  const others = Object.keys(module)
    .filter((name) => !names.has(module[name]))
    .sort();
  return [
    ...routes,
    `## Schemas\n\n\`\`\`ts\n${schemas.join('\n')}\n\`\`\``,
    `## Others\n\n${others.map((name) => `- ${name}`).join('\n')}`,
  ].join('\n\n');
}

function* routesOf(router, path = []) {
  for (const [name, part] of Object.entries(router)) {
    if (part.method) yield [[...path, name].join('.'), part];
    else yield* routesOf(part, [...path, name]);
  }
}

function describeRoute(name, { method, path, metadata, pathParams, query, body, responses }, names) {
  const parts = { pathParams, query, body };
  const taken = Object.entries(parts).flatMap(([part, schema]) =>
    schema ? [`${part}: ${textOf(schema, names)}`] : [],
  );
  const given = Object.entries(responses).map(([status, schema]) => `${status}: ${textOf(schema, names)}`);
  const title = `## ${name}\n\n${method} ${path} (${JSON.stringify(metadata)})`;
  return `${title}\n\n\`\`\`ts\n${[...taken, ...given].join('\n')}\n\`\`\``;
}

function textOf(schema, names) {
  if (schema?._def) return names.get(schema) ?? describeSchema(schema, names);
  if (typeof schema === 'symbol') return 'nothing';
  return `${schema?.contentType ?? 'any'} ${schema?.body?._def ? textOf(schema.body, names) : ''}`.trim();
}
