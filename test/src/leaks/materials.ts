import { readdirSync, readFileSync } from 'node:fs';
import type { Answer } from '../api.js';
import { entry } from '../product.js';
import type { Database } from '../store/database.js';
import type { SeenProcess } from './process-sampler.js';
import type { Material } from './scan.js';
import type { Secret } from './secret-book.js';

/** Node may import a watch before it. */
const service = [`${process.execPath} `, ` ${entry}`] as const;
/** What a script finds in its environment; the parameter is the one of the scripts that are driven. */
const ofScripts = /^(HOME|LANG|PATH|TMPDIR|PWD|OLDPWD|SHLVL|_|A_TOKEN|BK_UI_\w+)=/;

/** What a source sets for the programs that dump and restore. */
const ofSources = /^PGAPPNAME=Holdfast$/m;

/** The service has the variables that it was started with; scripts and dumps have theirs. No other program has any. */
export function ofProcess({ pid, command, environment }: SeenProcess): Material[] {
  const place = `${pid}: ${command.slice(0, 80)}`;
  const isService = command.startsWith(service[0]) && command.includes(service[1]);
  const isScript = environment.split('\n').every((line) => line === '' || ofScripts.test(line));
  const isDump = ofSources.test(environment);
  const mayHold = ({ kind }: Secret) =>
    (isService && kind === 'given') || (isScript && kind === 'parameter') || (isDump && kind === 'source');
  return [
    { channel: 'arguments', place, content: Buffer.from(command, 'latin1') },
    { channel: 'environments', place, content: Buffer.from(environment, 'latin1'), mayHold },
  ];
}

/** What tests have backed up: large, and without content of anybody. */
const sources = /^(random|endless)-\d+\.bin$/;

export function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile() && !sources.test(entry.name)) yield path;
  }
}

/** Every file below the folders; `mayHold` says which secrets a file is there for. */
export const ofFiles = (folders: string[], mayHold?: (secret: Secret, file: string) => boolean): Material[] =>
  folders
    .flatMap((folder) => [...filesBelow(folder)])
    .map((place) => ({
      channel: 'files',
      place,
      content: readFileSync(place),
      mayHold: (secret) => mayHold?.(secret, place) ?? false,
    }));

export const ofAnswers = (answers: Answer[]): Material[] =>
  answers.map(({ status, bytes, headers }, index) => ({
    channel: 'answers',
    place: `answer ${index + 1}: ${status}`,
    content: Buffer.concat([Buffer.from(JSON.stringify(headers)), bytes]),
  }));

export async function ofDatabase(open: Promise<Database>): Promise<Material> {
  const database = await open;
  const content = await database.contents().finally(() => database.close());
  return { channel: 'database', place: 'the database', content: Buffer.from(content, 'latin1') };
}

export const ofLog = (log: string): Material => ({
  channel: 'service log',
  place: 'output of the service',
  content: log,
});
