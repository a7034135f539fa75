#!/usr/bin/env node
/**
 * `node scripts/bundle.mjs`: bundles the code of each published package: one file per entry point, plus files for
 * what they share or load later. The compiler writes only the declarations. Before bundling, opening files took most
 * of a start. It also builds the web console, and the site of the documentation.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { buildConsole } from './build-console.mjs';
import { buildDocs } from './build-docs.mjs';
import { licencesOf } from './packages/libraries.mjs';
import { codePackages } from './packages/published.mjs';

/**
 * Libraries that every start loads, bundled with their dependencies. Others are loaded from where they are installed,
 * as are our own packages, so that a plugin and the service share one copy.
 */
const inlined = [
  // server
  ...[
    '@ts-rest/express',
    'compression',
    'cors',
    'express',
    'helmet',
    'leven',
    'mime-types',
    'passport',
    'pino',
    'tsyringe',
  ],
  ...['passport-http-bearer', 'prom-client', 'rate-limiter-flexible', 'reflect-metadata'],
  // contracts and core
  ...[
    '@anatine/zod-openapi',
    'cacheable',
    'croner',
    'cronstrue',
    'keyv',
    'luxon',
    'p-retry',
    'p-timeout',
    'semver',
  ],
  'string-argv',
  // plugins
  ...['lru-cache', 'sequelize'],
];
/** They run in browsers too, and are bundled again by those who use them: readable code, and nothing of Node. */
const forBrowsers = new Set(['@holdfast/client']);
/** Not bundled even if an inlined library needs them: there must be one copy. */
const shared = ['zod', '@ts-rest/core'];

const nameOf = (id) => /^(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? '';
const isPath = (id) => /^(\.|\/|\0)/.test(id);
const isLibrary = (importer) => importer?.includes('/node_modules/') ?? false;
const external = (id, importer) =>
  !isPath(id) && !isLibrary(importer) && !inlined.includes(nameOf(id)) && !shared.includes(nameOf(id));

/**
 * Tables of libraries become separate files that are read when needed: as code they would cost memory and time at
 * each start.
 */
const tables = {
  name: 'tables',
  load: {
    filter: { id: /\.json$/ },
    handler(id) {
      const source = readFileSync(id);
      if (source.length < 10_000 || basename(id) === 'package.json') return null;
      const fileName = `${basename(id, '.json')}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.json`;
      this.emitFile({ type: 'asset', fileName, source });
      return { code: `module.exports = require('./${fileName}')`, moduleType: 'js' };
    },
  },
  resolveId: {
    filter: { id: /^\.\/[\w-]+-[0-9a-f]{8}\.json$/ },
    handler: (id) => ({ id, external: true }),
  },
};

/**
 * With one non-ASCII character, V8 stores the whole text in two bytes per character. Line numbers and source maps
 * stay valid.
 */
const ascii = {
  name: 'ascii',
  generateBundle(_, output) {
    for (const chunk of Object.values(output)) {
      if (chunk.type !== 'chunk') continue;
      if (/\\[^\0-\x7f]/.test(chunk.code))
        throw new Error(`${chunk.fileName}: a backslash before a non-ASCII character`);
      chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (character) => `\\u${hex(character)}`);
    }
  },
};
const hex = (character) => character.charCodeAt(0).toString(16).padStart(4, '0');

/** All of the server that the commands for daily use need: they start in a third of the time without the rest. */
const forCommands = /\/server\/src\/(cli\/exit|server-version)\.ts$/;

async function bundle(folder, { name, exports }) {
  const doors = Object.values(exports).filter((door) => door.default);
  const dist = join(folder, 'dist');
  const { output } = await build({
    input: Object.fromEntries(
      doors.map((door) => [/([^/]+)\.js$/.exec(door.default)[1], join(folder, door['@holdfast/source'])]),
    ),
    platform: forBrowsers.has(name) ? 'neutral' : 'node',
    external,
    plugins: [esmExternalRequirePlugin({ external: shared }), tables, ascii],
    // Drivers of other databases, and optional accelerators of libraries.
    onLog: (level, log, say) => {
      if (log.code !== 'UNRESOLVED_IMPORT' || !isLibrary(log.id)) say(level, log);
    },
    output: {
      dir: dist,
      chunkFileNames: '[name].js',
      // One shared file for everything, not one per combination; but no start loads the documentation.
      codeSplitting: {
        groups: [
          { name: 'commands', priority: 1, test: forCommands },
          { name: 'shared', minShareCount: 2, test: (id) => !id.includes('/http/docs/') },
        ],
      },
      sourcemap: true,
      comments: false,
      // Makes each start read a third less. Names of functions and classes stay, for stack traces and code that uses
      // them.
      minify: forBrowsers.has(name)
        ? false
        : { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
    },
  });
  const written = new Set(output.map(({ fileName }) => fileName));
  for (const file of readdirSync(dist, { recursive: true })) {
    if (/\.(js|js\.map|json|txt)$/.test(file) && !written.has(file)) rmSync(join(dist, file));
    // The compiler leaves declarations of removed sources behind.
    const source = join(folder, 'src', file.replace(/\.d\.ts(\.map)?$/, '.ts'));
    if (/\.d\.ts(\.map)?$/.test(file) && !existsSync(source)) rmSync(join(dist, file));
  }
  const licences = licencesOf(output.flatMap(({ moduleIds = [] }) => moduleIds));
  if (licences !== '') writeFileSync(join(dist, 'licences.txt'), licences);
}

await Promise.all([buildConsole().then(buildDocs), bundleAll()]);

async function bundleAll() {
  for (const { folder, manifest } of codePackages()) await bundle(folder, manifest);
}
