import { email, type Grant, type Role, username } from '@holdfast/contracts';
import type { SignedIn } from '@holdfast/plugin-api';
import { z } from 'zod';
import { skeletonOf } from './accounts.rules.js';
import type { UserRow } from './tables.js';

/** How users of sign-in plugins get in, and what they may do. */
export interface SignInRules {
  unknownUsers: 'refuse' | 'create';
  /** The first one that a user is in decides. */
  groups: readonly GroupRights[];
}

export interface GroupRights {
  group: string;
  role: Role;
  grants?: Grant[] | undefined;
  restore_paths?: string[] | undefined;
}

/** How long a provider may take. */
export const providerPatienceMs = 20_000;

const text = (most: number) => z.string().min(1).max(most);

/** What plugins answer, which nobody else has checked. */
export const begunSignIn = z.object({
  redirect: z
    .string()
    .url()
    .regex(/^https?:/),
  kept: z.string().max(4_096),
});

export const signedIn: z.ZodType<SignedIn, z.ZodTypeDef, unknown> = z.object({
  subject: text(1_024),
  userName: text(1_024),
  displayName: z.string().nullable(),
  email: z.string().nullable(),
  groups: z.array(z.string()),
  logout: z.string().max(8_192).optional(),
});

/** A path of the console; everything else becomes its first page, so that no link to a sign-in leads elsewhere. */
export function returnPath(wanted: string | undefined): string {
  const isPath = wanted !== undefined && wanted.length <= 2_000 && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wanted);
  if (!isPath || !URL.canParse(wanted, 'http://a')) return '/';
  const { origin, pathname, search, hash } = new URL(wanted, 'http://a');
  return origin === 'http://a' && !pathname.startsWith('//') ? pathname + search + hash : '/';
}

/** Name and e-mail address as accounts have them; null: the name can't be one. */
export function accountOf(person: SignedIn): Pick<UserRow, 'username' | 'email'> | null {
  const name = username.safeParse(person.userName);
  if (!name.success || skeletonOf(name.data) === '') return null;
  return { username: name.data, email: email.nullable().safeParse(person.email).data ?? null };
}

/** Whether people could take one account for the other. */
export const isLike = (
  user: Pick<UserRow, 'username' | 'email'>,
  other: Pick<UserRow, 'username' | 'email'>,
) =>
  skeletonOf(user.username) === skeletonOf(other.username) ||
  (user.email !== null && user.email.toLowerCase() === other.email?.toLowerCase());

/** What the groups give a user at each sign-in; null: what the user has. */
export function rightsByGroups(
  { groups }: SignInRules,
  { password_hash }: Pick<UserRow, 'password_hash'>,
  person: SignedIn,
): Omit<GroupRights, 'group'> | null {
  const found = groups.find(({ group }) => person.groups.includes(group));
  if (found)
    return { role: found.role, grants: found.grants ?? [], restore_paths: found.restore_paths ?? [] };
  const isOfProvider = password_hash === '' && groups.length > 0;
  return isOfProvider ? { role: 'limited', grants: [], restore_paths: [] } : null;
}
