/**
 * What is at the place of a source, of which a backup tool saves what is there and no more: a folder counts as `empty`
 * without entries, and of a symlink only the link itself is saved. `unknown`: it was not looked at.
 */
export type SourceState = 'present' | 'missing' | 'empty' | 'symlink' | 'unreadable' | 'unknown';

export interface FoundSource {
  path: string;
  state: SourceState;
  /** Where a symlink leads to, when that is known. */
  pointsTo?: string;
}

export const symlinkRemark = ({ path, pointsTo }: FoundSource): string =>
  `${path} is a symlink${pointsTo ? ` to ${pointsTo}` : ''}: only the link itself is saved. Name the folder that it ` +
  'leads to instead.';
