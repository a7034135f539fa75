/** Where the dumps of all sources are in an archive: `holdfast-sources/KIND/SOURCE/DUMP`. */
const dumpsFolder = 'holdfast-sources';
const longestName = 200;

export interface DumpPlace {
  kind: string;
  /** Name of the source. */
  source: string;
  /** The name that the plugin gave the dump. */
  name: string;
}

export const pathOfDump = ({ kind, source, name }: DumpPlace): string =>
  [dumpsFolder, kind, safeName(source), safeName(name)].join('/');

/** Null unless a dump is stored at the path. */
export function dumpAt(path: string): DumpPlace | null {
  const [top, kind, source, name, ...rest] = path.split('/');
  if (top !== dumpsFolder || !kind || !source || !name || rest.length > 0) return null;
  try {
    return { kind, source: decodeURIComponent(source), name: decodeURIComponent(name) };
  } catch {
    return null;
  }
}

/**
 * One component of a path, at most 200 bytes: the end of a name that is longer. Other characters are percent-encoded, so
 * that names stay different.
 */
function safeName(name: string): string {
  let safe = '';
  for (const character of [...Buffer.from(name).toString()].toReversed()) {
    const more = encodeURIComponent(character).replace(
      /[!'()*~]/,
      (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    if (safe.length + more.length > longestName) break;
    safe = more + safe;
  }
  return (/^\.+$/.test(safe) ? safe.replaceAll('.', '%2E') : safe) || '_';
}
