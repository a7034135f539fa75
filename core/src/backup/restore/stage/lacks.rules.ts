import { hasUndecodable, type Message, say } from '../../../foundation/kernel/index.js';

/** Metadata that a file system may be unable to keep. */
export const allLacks = ['owners', 'modes', 'symlinks', 'hard_links', 'case', 'names'] as const;
export type Lack = (typeof allLacks)[number];

/** Names that Windows and its file systems refuse. */
export const isRefusedName = (path: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what they refuse.
  path.split('/').some((name) => /[<>:"|?*\\\x01-\x1f]|[. ]$/.test(name)) || hasUndecodable(path);

interface Restored {
  lacks: ReadonlySet<Lack>;
  links: number;
  refusedNames: number;
}

/** Warnings for the user before a restore, limited to those that affect it. */
export function remarksOnTarget({ lacks, links, refusedNames }: Restored): Message[] {
  const remarks: Message[] = [];
  if (lacks.has('owners'))
    remarks.push(
      say`target_keeps_no_owners: The file system of the destination does not store owners: all files will belong to one user.`,
    );
  if (lacks.has('modes'))
    remarks.push(
      say`target_keeps_no_modes: The file system of the destination does not store permissions: content and times are restored without them.`,
    );
  if (lacks.has('symlinks') && links > 0)
    remarks.push(
      say`target_keeps_no_links: The file system of the destination does not support symlinks: ${{ count: links }} are skipped.`,
    );
  if (lacks.has('hard_links'))
    remarks.push(
      say`target_keeps_no_hard_links: The file system of the destination does not support hard links: each additional name becomes a separate file.`,
    );
  if (lacks.has('case'))
    remarks.push(
      say`target_ignores_case: The file system of the destination does not distinguish uppercase and lowercase.`,
    );
  if (lacks.has('names') && refusedNames > 0)
    remarks.push(
      say`target_refuses_names: The file system of the destination rejects ${{ count: refusedNames }} names, for example with a colon or a question mark: these files are skipped.`,
    );
  return remarks;
}
