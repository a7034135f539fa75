import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { answer as answerOf, askSecret, connect, type ServiceOptions } from '@holdfast/cli/service';
import { CommandError } from '../exit.js';
import { answerNeeds } from './answer-needs.js';
import { printObjects } from './print-objects.js';
import { print, writePrivate } from './write-private.js';

interface ImportOptions extends ServiceOptions {
  importer: string;
  plan?: boolean;
  takeOver?: boolean;
  createMissing?: boolean;
  cron?: string;
  timezone?: string;
  without?: string[];
  replaceSources?: boolean;
  json?: boolean;
}

export async function importBorgmatic(
  names: readonly string[],
  { importer, plan = false, takeOver, createMissing, cron, timezone, json, ...more }: ImportOptions,
): Promise<number> {
  const { without, replaceSources, ...service } = more;
  const client = await connect(service, { readsToken: true });
  const files = await Promise.all(
    names.map(async (name) => ({ name: resolve(name), content: await textIn(name) })),
  );
  const answers = await answerNeeds(importer, files);
  const body = {
    importer,
    files,
    answers,
    take_over: takeOver,
    create_missing: createMissing,
    cron_expression: cron,
    timezone,
    dry_run: plan,
    without,
    replace_sources: replaceSources,
  };
  let answer = await answerOf(client.POST('/api/import/borgmatic', { body }));
  const asked = plan ? [] : answer.needs.filter(({ kind }) => kind === 'passphrase');
  if (asked.length > 0) {
    for (const { kind, name } of asked)
      answers.push({ kind, name, text: await askSecret(`Passphrase of ${name}`, { twice: false }) });
    answer = await answerOf(client.POST('/api/import/borgmatic', { body }));
  }
  if (json) await print(`${JSON.stringify(answer, null, 2)}\n`);
  else {
    for (const { file, line, key, result, reason, accept_as } of answer.lines) {
      const more = `${reason ? `: ${reason}` : ''}${accept_as ? ` (--without ${accept_as})` : ''}`;
      console.log(`${file}:${line}: ${key}: ${result.replace('_', ' ')}${more}`);
    }
    for (const { file, line, ...need } of answer.needs) console.log(`${file}:${line}: ${missing(need)}`);
    printObjects(answer);
  }
  return answer.counts.cannot > 0 ? 1 : 0;
}

const missing = ({ kind, name }: { kind: string; name: string }): string =>
  kind === 'variable'
    ? `the environment variable ${name} is not set`
    : `the ${kind} is missing${kind === 'command' ? '' : `: ${name}`}`;

const textIn = (name: string): Promise<string> =>
  readFile(name, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`Can't read ${name} (${error.code}).`);
  });

interface ExportOptions extends ServiceOptions {
  importer: string;
  outputDir?: string;
  withSecrets?: boolean;
}

export async function exportBorgmatic({
  importer,
  outputDir,
  withSecrets = false,
  ...service
}: ExportOptions): Promise<number> {
  const client = await connect(service, { readsToken: true });
  const { files, notes } = withSecrets
    ? await answerOf(client.POST('/api/export/borgmatic', { body: { importer, secrets: true } }))
    : await answerOf(client.GET('/api/export/borgmatic', { params: { query: { importer } } }));
  for (const { name, content } of files) {
    if (outputDir === undefined) await print(`# ${name}\n${content}---\n`);
    else await writePrivate(join(outputDir, name), content);
  }
  for (const { file, reason } of notes) console.error(`${file}: ${reason}`);
  return 0;
}
