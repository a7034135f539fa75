import type { ImportEnvironment, ImportFile, ImportReading } from '@holdfast/plugin-api/importer';
import { Answers } from './answers.js';
import type { Databases } from './databases.js';
import { type MappedFile, mapFile, type Wanted } from './map-file.js';
import { askedBy } from './parts-of.js';
import { readTree, Unreadable, unreadable } from './read-tree.js';
import { resolved } from './resolve.js';
import { type MapTree, withoutValue } from './tree.js';

/** The most answers that one call of the service accepts. */
const mostAsked = 1_000;
const nothing = { files: [], needs: [], checks: [], secrets: [] };

export function read(files: readonly ImportFile[], environment: ImportEnvironment): ImportReading {
  try {
    return readAll(files, environment);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...nothing, unreadable: error.place };
  }
}

function readAll(files: readonly ImportFile[], environment: ImportEnvironment): ImportReading {
  const answers = new Answers(environment);
  const count = { nodes: 0 };
  const trees: MapTree[] = [];
  for (const file of files) trees.push(resolved(readTree(file, answers, count), answers));
  const mapped = files.map(({ name }, at) => mapFile(name, trees[at] as MapTree, answers, environment));
  const tooMuch = answers.needs[mostAsked];
  if (tooMuch) throw unreadable(tooMuch.file, tooMuch.line, 'the files refer to more than can be answered');
  const bases = mapped.map(({ base }) => base);
  return {
    files: mapped.map(({ base, wanted, report }, at) => ({
      // The folder distinguishes two files with the same name.
      base: bases.filter((other) => other === base).length > 1 ? (files[at]?.name ?? base) : base,
      repositories: wanted.map(repositoryIn),
      report: report.lines,
      settings: settingsOf(wanted, environment, at),
    })),
    needs: answers.needs,
    checks: answers.checks,
    secrets: mapped.flatMap(secretsIn),
    unreadable: null,
  };
}

const repositoryIn = ({ option, text, name, place, secrets, encryption, settings }: Wanted) => ({
  option: withoutValue(option),
  text,
  name,
  place,
  secrets,
  encryption,
  settings,
});

function settingsOf(wanted: readonly Wanted[], { found, takeOver }: ImportEnvironment, at: number) {
  const { base = '', repositories = [] } = found?.[at] ?? {};
  const present = repositories.flatMap((one) => {
    const its = wanted[one.position];
    return its ? [{ wanted: its, found: one }] : [];
  });
  return askedBy(base, present, takeOver).map((asked) => ({
    ...asked,
    option: asked.option && withoutValue(asked.option),
  }));
}

const secretsIn = ({ wanted }: MappedFile): string[] =>
  wanted.flatMap(({ secrets, channels, monitors, settings }) => [
    ...Object.values((settings.source_secrets ?? {}) as Databases['secrets']).flatMap((each) =>
      Object.values(each),
    ),
    ...(secrets.passphrase ? [secrets.passphrase] : []),
    ...[...channels, ...monitors].map(({ url }) => url),
  ]);
