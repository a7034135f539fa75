#!/usr/bin/env node
/**
 * `node scripts/client.mjs [--check] [root of a checkout]`: writes what `@holdfast/client` has of `api/openapi.json`:
 * the types (`client/src/schema.ts`, which each build writes), and the operations that need more than types
 * (`client/src/operations.ts`). With `--check` nothing is written, and outdated operations are a failure.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypes, { astToString } from 'openapi-typescript';
import { root } from './prepare/root.mjs';

const parameters = process.argv.slice(2);
const checkout = parameters.find((each) => !each.startsWith('--')) ?? root;
const document = JSON.parse(readFileSync(join(checkout, 'api', 'openapi.json'), 'utf8'));
const note = '/* `npm run generate` writes this file from api/openapi.json. */\n\n';
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
);

// First: the generator changes the document that it is given.
const files = { 'operations.ts': operationsText() };
const isCheck = parameters.includes('--check');
if (!isCheck) files['schema.ts'] = await schemaText();
const outdated = Object.keys(files).filter((name) => before(name) !== files[name]);
if (isCheck) {
  for (const name of outdated) console.error(`client/src/${name} is out of date: run \`npm run generate\`.`);
  process.exitCode = outdated.length > 0 ? 1 : 0;
} else {
  for (const name of outdated) writeFileSync(place(name), files[name]);
}
console.log(`${operations.length} operations; ${outdated.length} files of the client differed`);

function place(name) {
  return join(checkout, 'client', 'src', name);
}

function before(name) {
  return existsSync(place(name)) ? readFileSync(place(name), 'utf8') : '';
}

async function schemaText() {
  return note + astToString(await openapiTypes(document, { defaultNonNullable: false }));
}

function operationsText() {
  const withKey = operations.filter(({ parameters = [] }) =>
    parameters.some(({ in: where, name }) => where === 'header' && name === 'idempotency-key'),
  );
  const open = operations.filter(({ security }) => security && !security.some(({ bearer }) => bearer));
  return `${note}${listOf('takesKey', 'They accept an `Idempotency-Key`.', withKey)}
${listOf('needsNoToken', 'They take no access token.', open)}`;
}

function listOf(name, meaning, chosen) {
  const lines = chosen.map(({ name }) => `  '${name}',\n`).sort();
  return `/** ${meaning} */\nexport const ${name}: ReadonlySet<string> = new Set([\n${lines.join('')}]);\n`;
}
