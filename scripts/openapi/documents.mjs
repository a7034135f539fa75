import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare/root.mjs';

const folder = join(root, 'api');

/** The current document of the contracts. */
export const currentFile = join(folder, 'openapi.json');

/** The document of a release. */
export const releaseFile = (version) => join(folder, `openapi-${version}.json`);

/** The stored form of the document: one line per part, so that reviews show changes. */
export const textOf = (document) => `${JSON.stringify(document, null, 2)}\n`;

/** The newest document of a release, with its version; undefined before the first release. */
export function lastRelease() {
  const versions = readdirSync(folder).flatMap(
    (name) => /^openapi-(\d+\.\d+\.\d+)\.json$/.exec(name)?.[1] ?? [],
  );
  const version = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  if (version === undefined) return undefined;
  return { version, document: JSON.parse(readFileSync(releaseFile(version), 'utf8')) };
}
