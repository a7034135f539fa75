import { escapeName, type Message, say } from '../../foundation/kernel/index.js';

/** An owner as an archive knows it. */
export interface Owner {
  user: string;
  uid: number;
  group: string;
  gid: number;
}

/** An owner as known at the destination; null if unknown. */
export interface OwnerThere {
  /** The numbers of its names: `uid:gid`. */
  ids: string | null;
  /** The names of its numbers: `user:group`. */
  names: string | null;
}

export interface CountedOwner extends Owner {
  count: number;
  there?: OwnerThere;
}

export const namesOf = ({ user, group }: Owner): string => escapeName(`${user}:${group}`);
export const idsOf = ({ uid, gid }: Owner): string => `${uid}:${gid}`;

/** Whether name and number belong to different owners at the destination. */
function differs(owner: CountedOwner): boolean {
  const { user, uid, there } = owner;
  if (!there || user === `${uid}`) return false;
  return (there.ids ?? idsOf(owner)) !== idsOf(owner) || (there.names ?? namesOf(owner)) !== namesOf(owner);
}

/** Describes how owners will change that differ at the destination; null without any. */
export function remarkOnOwners(owners: readonly CountedOwner[], by: 'numbers' | 'names'): Message | null {
  const odd = owners.filter(differs);
  const [first] = odd;
  if (!first) return null;
  const count = odd.length;
  const [owner, ids, names] = [namesOf(first), idsOf(first), first.there?.names ?? '?'];
  return by === 'numbers'
    ? say`owners_by_number: ${{ count }} owners differ at the destination: files of ${{ owner }} get the numbers ${{ ids }}, which belong to ${{ names }} at the destination. Restore by name if they are the same users on another machine.`
    : say`owners_by_name: ${{ count }} owners differ at the destination: files of ${{ owner }} get the numbers that this name has at the destination, not ${{ ids }} (${{ names }}). Restore by number if this is the machine that was backed up.`;
}
