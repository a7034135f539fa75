import { userChanges } from '@holdfast/contracts';
import type { SignInRules } from '@holdfast/core/server';
import { z } from 'zod';

/** Absent fields keep their meaning of `PUT /api/auth/users/:id`. */
const group = userChanges
  .pick({ grants: true, restore_paths: true })
  .extend({ group: z.string().trim().min(1, 'must not be empty'), role: userChanges.shape.role.unwrap() })
  .strict()
  .refine(
    ({ role, grants, restore_paths }) => role === 'limited' || !(grants?.length || restore_paths?.length),
    'has grants or restore_paths, which only the role limited can have',
  );
export type SignInGroup = z.infer<typeof group>;

const groupsForm = 'must be a JSON list such as [{"group": "family", "role": "limited", "grants": []}]';

/** Names the first entry that is wrong. */
const groups = z
  .string()
  .default('[]')
  .transform((text, context): SignInGroup[] => {
    const fail = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    const list = jsonOf(text);
    if (!Array.isArray(list)) return fail(groupsForm);
    const read = list.map((entry) => group.safeParse(entry));
    const wrong = read.findIndex(({ success }) => !success);
    if (wrong === -1) return read.flatMap(({ data }) => data ?? []);
    const name = (list[wrong] as { group?: unknown } | null)?.group;
    const [issue] = read[wrong]?.error?.issues ?? [];
    return fail(
      `has a mistake in entry ${wrong + 1}${typeof name === 'string' ? ` ("${name}")` : ''}: ` +
        `${[...(issue?.path ?? []), issue?.message].join(' ')}`,
    );
  });

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
const isOrigin = (text: string) => isAddress(text) && new URL(text).origin === text.toLowerCase();
const headerName = z
  .string()
  .regex(/^[\w-]+$/, 'must be the name of a header')
  .optional();

/** Sign-in with plugins. See `docs/admin/users-and-security.md`. */
export const signInVariables = {
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'must be an address such as https://backup.example.org, without a path')
    .optional(),
  SIGN_IN_UNKNOWN_USERS: z
    .enum(['refuse', 'create'], { errorMap: () => ({ message: 'must be refuse or create' }) })
    .default('refuse'),
  SIGN_IN_GROUPS: groups,
  OIDC_ISSUER: z
    .string()
    .refine(
      isAddress,
      'must be the address of an OpenID Connect provider, for example https://id.example.org',
    )
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z.string().optional(),
  OIDC_SCOPES: z.string().optional(),
  OIDC_GROUPS_CLAIM: z.string().optional(),
  OIDC_ALLOW_HTTP: z
    .enum(['0', '1'], { errorMap: () => ({ message: 'must be 0 or 1' }) })
    .default('0')
    .transform((text) => text === '1'),
  SIGN_IN_HEADER_USER: headerName,
  SIGN_IN_HEADER_NAME: headerName,
  SIGN_IN_HEADER_EMAIL: headerName,
  SIGN_IN_HEADER_GROUPS: headerName,
  SIGN_IN_HEADER_GROUPS_SEPARATOR: z.string().optional(),
  SIGN_IN_HEADER_LABEL: z.string().optional(),
};

type Variables = z.output<z.ZodObject<typeof signInVariables>>;

export interface SignInSettings {
  /** Where browsers find the service, with its base path. */
  publicUrl: string | undefined;
  signIn: SignInRules;
  /** Configuration of the plugin `oidc`, which is loaded if there is one. It may contain a secret. */
  oidc: { issuer?: string; clientSecret?: string } | undefined;
  /** The same for the plugin `header`. */
  signInHeader: { user?: string } | undefined;
}

export function readSignIn(data: Variables & { BASE_PATH: string }): SignInSettings {
  const given = (values: object) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  return {
    publicUrl: data.PUBLIC_URL && data.PUBLIC_URL.toLowerCase() + data.BASE_PATH,
    signIn: { unknownUsers: data.SIGN_IN_UNKNOWN_USERS, groups: data.SIGN_IN_GROUPS },
    oidc: data.OIDC_ISSUER
      ? given({
          issuer: data.OIDC_ISSUER,
          clientId: data.OIDC_CLIENT_ID,
          clientSecret: data.OIDC_CLIENT_SECRET,
          label: data.OIDC_LABEL,
          scopes: data.OIDC_SCOPES,
          groupsClaim: data.OIDC_GROUPS_CLAIM,
          allowHttp: data.OIDC_ALLOW_HTTP,
        })
      : undefined,
    signInHeader: data.SIGN_IN_HEADER_USER
      ? given({
          user: data.SIGN_IN_HEADER_USER,
          name: data.SIGN_IN_HEADER_NAME,
          email: data.SIGN_IN_HEADER_EMAIL,
          groups: data.SIGN_IN_HEADER_GROUPS,
          groupsSeparator: data.SIGN_IN_HEADER_GROUPS_SEPARATOR,
          label: data.SIGN_IN_HEADER_LABEL,
        })
      : undefined,
  };
}

/** What is missing beside a variable, one line each. */
export function missingForSignIn(data: Variables & { TRUST_PROXY: number | string[] }): string[] {
  const uses = [data.OIDC_ISSUER && 'OIDC_ISSUER', data.SIGN_IN_HEADER_USER && 'SIGN_IN_HEADER_USER'];
  const [first] = uses.filter(Boolean);
  return [
    ...(first && data.PUBLIC_URL === undefined
      ? [`PUBLIC_URL must be set, because ${first} is: it is the address that browsers come back to.`]
      : []),
    ...(data.OIDC_ISSUER && !data.OIDC_CLIENT_ID
      ? ['OIDC_CLIENT_ID must be set, because OIDC_ISSUER is: the provider shows it for the client.']
      : []),
    ...(data.SIGN_IN_HEADER_USER && !Array.isArray(data.TRUST_PROXY)
      ? [
          'TRUST_PROXY must list the addresses of proxies, because SIGN_IN_HEADER_USER is set: only they are believed.',
        ]
      : []),
  ];
}
