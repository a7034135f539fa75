import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { CommandError } from '../exit.js';

/** Reads a JSON object from a file. */
export async function readJson(file: string): Promise<object> {
  try {
    return z.record(z.unknown()).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'not a JSON object';
    throw new CommandError(`The configuration ${file} can't be read (${reason}).`);
  }
}

/** The default export of a module: suite options that a configuration file can't express. */
export async function readModule(file: string): Promise<object> {
  const module = (await import(pathToFileURL(resolve(file)).href).catch((error: Error) => {
    throw new CommandError(`The harness ${file} can't be imported: ${error.message}`);
  })) as { default?: unknown };
  if (typeof module.default === 'object' && module.default !== null) return module.default;
  throw new CommandError(`The default export of the harness ${file} is not an object.`);
}
