import type { Schemas } from '../../api/client.js';
import { nameOf, parentOf } from '../browse/paths.rules.js';

export type Difference = Schemas['ArchiveComparison']['items'][number];

export type Kind = Difference['change'] | 'touched';

/** A path with the totals of everything at and below it. */
export interface Branch {
  name: string;
  path: string;
  /** If the path itself differs. */
  own: Difference | null;
  children: Branch[];
  counts: Record<Kind, number>;
  bytes: number;
}

/** `touched`: a file of the same size with another time; the lists do not say whether its content is the same. */
export function kindOf({ change, before, after }: Difference): Kind {
  const isTouched = after?.type === 'file' && before?.type === 'file' && before.size === after.size;
  return isTouched && before.mtime !== after.mtime ? 'touched' : change;
}

const sizeOf = (version: Difference['before']): number => (version?.type === 'file' ? version.size : 0);
export const grownBy = ({ before, after }: Difference): number => sizeOf(after) - sizeOf(before);

/** What grew or shrank most comes first; a folder with nothing but one folder is joined with it. */
export function treeOf(differences: readonly Difference[]): Branch {
  const known = new Map<string, Branch>();
  const at = (path: string): Branch => {
    const found = known.get(path);
    if (found) return found;
    const counts = { added: 0, changed: 0, removed: 0, touched: 0 };
    const made: Branch = { name: nameOf(path), path, own: null, children: [], counts, bytes: 0 };
    known.set(path, made);
    if (path !== '') at(parentOf(path)).children.push(made);
    return made;
  };
  for (const difference of differences) {
    at(difference.path).own = difference;
    for (let path = difference.path; ; path = parentOf(path)) {
      const branch = at(path);
      branch.counts[kindOf(difference)] += 1;
      branch.bytes += grownBy(difference);
      if (path === '') break;
    }
  }
  const root = at('');
  return { ...root, children: arranged(root.children) };
}

const arranged = (branches: Branch[]): Branch[] =>
  branches
    .map(joined)
    .sort((one, other) => Math.abs(other.bytes) - Math.abs(one.bytes) || one.name.localeCompare(other.name));

function joined(branch: Branch): Branch {
  const [only, ...others] = branch.children;
  if (only && others.length === 0 && !branch.own && only.children.length > 0)
    return joined({ ...only, name: `${branch.name}/${only.name}` });
  return { ...branch, children: arranged(branch.children) };
}
