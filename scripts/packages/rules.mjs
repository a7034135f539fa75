import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { root } from '../prepare/root.mjs';
import { isCode } from './published.mjs';

const license = readFileSync(join(root, 'LICENSE'), 'utf8');
const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The allowed top level of a package. */
const allowed = /^(bin\/|dist\/|src\/|recipes\/[\w-]+\.yaml$|viewers\/|LICENSE$|README\.md$|package\.json$)/;
const unwanted = /(\.tsbuildinfo$|(^|\/)tests?\/|\.test\.)/;
/** Fields that would name a host, which the project does not have, or run code on the user's machine. */
const forbiddenFields = ['repository', 'homepage', 'bugs', 'publishConfig', 'scripts', 'private'];

/**
 * The project's own rules for a published package, beyond the checks of publint and attw.
 * @param packed `{ files: string[], read(path): string }` of one tarball
 * @returns {string[]} one sentence per problem
 */
export function ownRules(packed) {
  const manifest = JSON.parse(packed.read('package.json'));
  return [
    ...manifestProblems(manifest),
    ...fileProblems(packed, manifest),
    ...mapProblems(packed),
    ...importProblems(packed, manifest),
  ];
}

function* manifestProblems(manifest) {
  const expected = {
    version: project.version,
    license: project.license,
    type: 'module',
    'engines.node': project.engines.node,
  };
  const actual = { ...manifest, 'engines.node': manifest.engines?.node };
  for (const [field, value] of Object.entries(expected)) {
    if (actual[field] !== value) yield `package.json: ${field} is ${actual[field]}, and ${value} elsewhere`;
  }
  if (!manifest.description) yield 'package.json: description is missing';
  for (const field of forbiddenFields) {
    if (manifest[field] !== undefined) yield `package.json: ${field} is not allowed`;
  }
  for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
    if (name.startsWith('@holdfast/') && range !== project.version)
      yield `package.json: ${name} ${range} is another version`;
    if (/^(file|link|workspace|git|https?):/.test(range)) yield `package.json: ${name} comes from ${range}`;
  }
}

const mapNote = /^\/\/# sourceMappingURL=/m;

function* fileProblems({ files, read }, { exports, dependencies }) {
  if (!isCode({ exports })) yield* pageProblems(files, dependencies);
  for (const name of ['LICENSE', 'README.md']) if (!files.includes(name)) yield `${name} is missing`;
  if (files.includes('LICENSE') && read('LICENSE') !== license) yield "LICENSE is not the project's";
  for (const file of files)
    if (!allowed.test(file) || unwanted.test(file)) yield `${file} must not be in the package`;
  const doors = Object.values(exports).flatMap((door) => (door.types ? [door.types, door.default] : []));
  // Code that only re-exports another file has no map.
  const mapped = files.filter((name) => /^dist\/.*\.(js|d\.ts)$/.test(name) && mapNote.test(read(name)));
  const needed = [...doors.map(posix.normalize), ...mapped.map((name) => `${name}.map`)];
  for (const file of needed) if (!files.includes(file)) yield `${file} is missing`;
}

/** The page with its files, as the build leaves them: no source of either, and all libraries are in it. */
function* pageProblems(files, dependencies = {}) {
  for (const name of Object.keys(dependencies)) yield `package.json: ${name} is in the page already`;
  for (const file of ['dist/index.html', 'dist/licences.txt'])
    if (!files.includes(file)) yield `${file} is missing`;
  for (const file of files) if (/\.(map|tsx?)$/.test(file)) yield `${file} must not be in the package`;
}

/** A source map with missing sources is worse than none. */
function* mapProblems({ files, read }) {
  for (const file of files.filter((name) => name.endsWith('.map'))) {
    const { sources, sourcesContent = [] } = JSON.parse(read(file));
    // Code of libraries is inside the map itself; their tables are not code.
    for (const source of sources.filter((name, index) => !sourcesContent[index] && !/\.json$/.test(name))) {
      const path = posix.join(posix.dirname(file), source);
      if (!files.includes(path)) yield `${file} names ${path}, which is not in the package`;
    }
  }
}

/**
 * Checks the types that a user can reach from an entry point: their imports must exist without our development
 * dependencies.
 */
function* importProblems(packed, manifest) {
  const code = packed.files.filter((name) => /^dist\/.*\.js$/.test(name));
  for (const file of [...code, ...typesFromDoors(packed, manifest)]) {
    for (const name of importsOf(packed.read(file))) {
      const problem = importProblem(name, { file, files: packed.files, manifest });
      if (problem) yield `${file} imports ${name}${problem}`;
    }
  }
}

function typesFromDoors({ files, read }, { exports }) {
  const doors = Object.values(exports).flatMap(({ types }) => (types ? [posix.normalize(types)] : []));
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file) || !files.includes(file)) return;
    reached.add(file);
    for (const name of importsOf(read(file)).filter((path) => path.startsWith('.')))
      visit(posix.join(posix.dirname(file), name).replace(/\.js$/, '.d.ts'));
  };
  doors.forEach(visit);
  return reached;
}

/** Like the compiler: `import`, `export … from`, `import()`, also in types. */
const importsOf = (text) =>
  ts.preProcessFile(text, true, false).importedFiles.map(({ fileName }) => fileName);

function importProblem(name, { file, files, manifest }) {
  if (name.startsWith('node:') || builtinModules.includes(name)) return null;
  if (name.startsWith('.')) {
    const target = posix.join(posix.dirname(file), name);
    const needed = file.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target;
    return files.includes(needed) ? null : ', which is not in the package';
  }
  const [scope, second] = name.split('/');
  const target = name.startsWith('@') ? `${scope}/${second}` : scope;
  if (manifest.dependencies?.[target] || manifest.name === target) return null;
  return ', which is not a dependency';
}
