import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeReports } from './code-reports.mjs';
import { publishedPackages } from './published.mjs';

/** What others write code against. */
const reported = ['@holdfast/plugin-api', '@holdfast/client'];

/** Writes the public API of these packages into the folder, one file per entry point. */
export function reportsInto(folder) {
  const packages = publishedPackages().filter(({ manifest }) => reported.includes(manifest.name));
  codeReports(folder, packages.flatMap(doorsOf));
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    writeFileSync(file, inOneOrder(withoutNoise(readFileSync(file, 'utf8'))));
  }
}

const doorsOf = ({ folder, manifest }) =>
  Object.entries(manifest.exports)
    .filter(([, { types }]) => types)
    .map(([door, { types }]) => ({
      folder,
      types: join(folder, types),
      name: manifest.name.replace('@holdfast/', '') + (door === '.' ? '' : `-${door.slice(2)}`),
    }));

/** Whether a name has a comment is not part of the API. */
const withoutNoise = (report) =>
  report.replace(/^ *\/\/ (@public.*|\(undocumented\))\n/gm, '').replace(/\n\n+/g, '\n');

/** The compiler writes the members of a union in the order in which it met them, which differs between builds. */
const inOneOrder = (report) =>
  report.replace(/"[^"\n]*"(?: \| "[^"\n]*")+/g, (union) => union.split(' | ').sort().join(' | '));
