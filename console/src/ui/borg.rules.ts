import { command } from './shell.rules.js';

/** A path that begins like the style of a pattern would be taken for one. */
const asPath = (path: string) => (/^\w\w:/.test(path) ? `pp:${path}` : path);

interface Extraction {
  /** Within the archive; '' or none: everything. */
  paths?: readonly string[];
  strip?: number;
}

/** Brings files back without Holdfast, into the folder where it runs. @param place the repository as borg names it */
export const extractCommand = (
  place: string,
  archive: string,
  { paths = [], strip = 0 }: Extraction = {},
): string =>
  command(
    ...['borg', 'extract', ...(strip > 0 ? ['--strip-components', String(strip)] : [])],
    `${place}::${archive}`,
    ...paths.filter(Boolean).map(asPath),
  );

export const listCommand = (place: string, archive: string): string =>
  command('borg', 'list', `${place}::${archive}`);
