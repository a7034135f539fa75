import type { Source } from '../../ui/sources.rules.js';

export interface Dump {
  kind: string;
  source: string;
  name: string;
}

/** What a file of an archive is a dump of: `holdfast-sources/KIND/SOURCE/DUMP`; null: none. */
export function dumpAt(path: string): Dump | null {
  const [, kind, source, name] = /^holdfast-sources\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (!kind || !source || !name) return null;
  try {
    return { kind, source: decodeURIComponent(source), name: decodeURIComponent(name) };
  } catch {
    return null;
  }
}

/** Roles and tablespaces of a server: they have no database of their own. */
export const isGlobals = ({ kind, name }: Dump): boolean => kind === 'postgresql' && name === 'globals.sql';

/** The database that was dumped, and a new name for it. A file keeps its extension. */
export function namesFor({ name }: Dump): { old: string; fresh: string } {
  const [, stem = name, extension = ''] = /^(.*[^/.])(\.\w+)$/.exec(name) ?? [];
  return name.startsWith('/')
    ? { old: name, fresh: `${stem}_restored${extension}` }
    : { old: stem, fresh: `${stem}_restored` };
}

/** Where the server of a source is: its container, and its address or socket. */
export const placesOf = ({ container, settings: { host, port, socket } }: Source): string[] =>
  [container, host ? [host, port].filter(Boolean).join(':') : socket].filter((place) => !!place) as string[];
