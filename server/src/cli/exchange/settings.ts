import { readFile } from 'node:fs/promises';
import { answer, askSecret, connect, type ServiceOptions } from '@holdfast/cli/service';
import { CommandError } from '../exit.js';
import { printObjects } from './print-objects.js';
import { print, writePrivate } from './write-private.js';

interface ExportOptions extends ServiceOptions {
  output?: string;
  withSecrets?: boolean;
}

export async function exportSettings({ output, withSecrets, ...service }: ExportOptions): Promise<number> {
  const client = await connect(service, { readsToken: true });
  const seal_passphrase = withSecrets ? await askSecret('Passphrase for the secrets') : null;
  const { document } =
    seal_passphrase === null
      ? await answer(client.GET('/api/settings/export'))
      : await answer(client.POST('/api/settings/export', { body: { seal_passphrase } }));
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (output === undefined) await print(text);
  else await writePrivate(output, text);
  return 0;
}

interface ImportOptions extends ServiceOptions {
  plan?: boolean;
  replaceSources?: boolean;
  json?: boolean;
}

export async function importSettings(
  file: string,
  { plan = false, replaceSources, json, ...service }: ImportOptions,
): Promise<number> {
  const document = await readDocument(file);
  const client = await connect(service, { readsToken: true });
  const isSealed = typeof document === 'object' && document !== null && 'sealed' in document;
  const seal_passphrase = isSealed
    ? await askSecret('Passphrase of the secrets', { twice: false })
    : undefined;
  const body = { document, seal_passphrase, dry_run: plan, replace_sources: replaceSources };
  const imported = await answer(client.POST('/api/settings/import', { body }));
  if (json) await print(`${JSON.stringify(imported, null, 2)}\n`);
  else printObjects(imported, imported.remarks);
  return imported.counts.cannot > 0 ? 1 : 0;
}

async function readDocument(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandError(`${file} is not JSON: is it the right file?`);
    throw new CommandError(`Can't read ${file} (${(error as NodeJS.ErrnoException).code}).`);
  }
}
