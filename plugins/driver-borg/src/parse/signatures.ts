import type { ArchiveSummary } from '@holdfast/plugin-api/driver';
import type { ToolArchive } from './archive-list.js';

/** Before 1.2.5, borg never looks at the signature of an archive, and breaks it when it renames or repairs it. */
export const checksSignatures = (version: string): boolean => /^1\.(2\.([5-9]|\d\d)|[3-9])/.test(version);

/** That borg cannot tell, but the command line still has the first name of an archive. */
export const signatureOf = (archive: MadeArchive): NonNullable<ArchiveSummary['signature']> =>
  wasRenamed(archive) ? 'none' : 'unknown';

export interface MadeArchive extends ToolArchive {
  command_line?: string | string[];
}

function wasRenamed({ name, command_line = [], hostname = '', username = '' }: MadeArchive): boolean {
  const words = [command_line].flat().filter((word) => !word.startsWith('-'));
  const given = words.flatMap((word) => /::(.+)$/s.exec(word)?.[1] ?? []);
  const names = [name, name.replace(/\.checkpoint(\.\d+)?$/, '')];
  const patterns = given.map((template) => patternOf(template, { hostname, user: username }));
  return given.length > 0 && !patterns.some((pattern) => names.some((each) => pattern.test(each)));
}

const verbatim = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const joined = (parts: string[], special: (part: string) => string): string =>
  parts.map((part, index) => (index % 2 === 0 ? verbatim(part) : special(part))).join('');

/** All names that borg can make of a name with placeholders. */
function patternOf(template: string, known: Record<string, string>): RegExp {
  const source = joined(template.split(/(\{\{|\}\}|\{[^{}]*\})/), (part) => {
    if (/^(\{\{|\}\})$/.test(part)) return verbatim(part.charAt(0));
    const [, key = '', format = '%Y-%m-%dT%H:%M:%S'] = /^\{([^:}]*)(?::(.*))?\}$/s.exec(part) ?? [];
    if (/^(utc)?now$/.test(key)) return timePattern(format);
    return known[key] ? verbatim(known[key]) : '.*';
  });
  return new RegExp(`^${source}$`, 's');
}

const timePattern = (format: string): string =>
  joined(format.split(/(%-?[a-zA-Z])/), (part) => (/[YmdHMSfjyGuwVWUCI]$/.test(part) ? '\\d+' : '.+'));

/** A newer borg refuses the list if one is not valid, unless it was told to accept that. */
export const signatureIn = (
  archive: MadeArchive,
  { version, accepted }: { version: string; accepted: boolean },
): Pick<ArchiveSummary, 'signature'> => {
  if (!checksSignatures(version)) return { signature: signatureOf(archive) };
  return accepted ? {} : { signature: 'valid' };
};
