import type { LeavingRepository, WrittenFiles } from '@holdfast/plugin-api/importer';
import { configOf } from './config-of.js';
import { yamlOf } from './yaml-of.js';

/** One file for each repository. */
export function write(
  repositories: readonly LeavingRepository[],
  { secrets }: { secrets: boolean },
): WrittenFiles {
  const names = new Set<string>();
  const written: WrittenFiles = { files: [], notes: [] };
  for (const repository of repositories) {
    const fileName = freeName(repository.name, names);
    const name = `${fileName}.yaml`;
    const { config, notes } = configOf({ ...repository, secrets, fileName });
    const remarks = notes.map((note) => note.text);
    const content = yamlOf(config, [`Repository ${repository.name}, from Holdfast.`, ...remarks]);
    written.files.push({ name, content });
    written.notes.push(...notes.map((note) => ({ file: name, note })));
  }
  return written;
}

/** A name for files and shells. */
function freeName(text: string, taken: Set<string>): string {
  const base =
    text
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^[.-]+|-+$/g, '')
      .slice(0, 80) || 'repository';
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base}-${n}`;
  taken.add(name);
  return name;
}
