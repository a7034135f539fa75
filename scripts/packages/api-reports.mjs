import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeReports } from './code-reports.mjs';
import { contractReport } from './contract-report.mjs';
import { describeSchema } from './describe-schema.mjs';
import { codePackages } from './published.mjs';

/** Writes the public API of each package into the folder, one file per package or entry point. */
export async function reportsInto(folder) {
  const doors = [];
  for (const published of codePackages()) {
    const { name, holdfast, bin } = published.manifest;
    const file = `${name.replace('@holdfast/', '')}.api.md`;
    const write = (text) => writeFileSync(join(folder, file), `# ${name}\n\n${text}\n`);
    if (name === '@holdfast/contracts') write(contractReport(await load(published)));
    else if (bin) write(`Programs: ${Object.keys(bin).join(', ')}`);
    else if (holdfast) write(pluginReport(holdfast, (await load(published)).default));
    else doors.push(...doorsOf(published));
  }
  codeReports(folder, doors);
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, inOneOrder(text.startsWith('## API Report') ? withoutNoise(text) : text));
  }
}

const load = ({ folder, manifest }) =>
  import(pathToFileURL(join(folder, manifest.exports['.'].default)).href);

/** A plugin is one default export: others see only its manifest block and its settings. */
function pluginReport({ apiVersion, kind, id, schemes }, { configuration }) {
  const facts = [`- plugin API: ${apiVersion}`, `- kind: ${kind}`, `- id: ${id}`];
  if (schemes) facts.push(`- schemes: ${schemes.join(', ')}`);
  return `${facts.join('\n')}\n\n## Settings\n\n\`\`\`ts\n${describeSchema(configuration)}\n\`\`\``;
}

/** The server's own entry point may change without notice. */
const doorsOf = ({ folder, manifest }) =>
  Object.entries(manifest.exports)
    .filter(([door, { types }]) => types && door !== './server')
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
