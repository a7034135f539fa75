import type { SignedIn } from '@holdfast/plugin-api';

type Claims = Record<string, unknown> & { sub: string };

/** The person whom the claims of an ID token and of the userinfo endpoint describe. */
export function personOf(claims: Claims, groupsClaim: string): SignedIn {
  const isVerified = claims.email_verified === true || claims.email_verified === 'true';
  const email = isVerified ? textOf(claims.email) : null;
  return {
    subject: claims.sub,
    userName: textOf(claims.preferred_username) ?? email ?? claims.sub,
    displayName: textOf(claims.name),
    email,
    groups: groupsOf(claims, groupsClaim),
  };
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/** A list of texts, or one text. */
function groupsOf(claims: Claims, name: string): string[] {
  const inside = (from: unknown, key: string) => (from as Record<string, unknown> | null | undefined)?.[key];
  const found = claims[name] ?? name.split('.').reduce<unknown>(inside, claims);
  return [found].flat().flatMap((group) => textOf(group) ?? []);
}
