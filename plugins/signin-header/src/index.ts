import { randomUUID } from 'node:crypto';
import { definePlugin, SignInRefused } from '@holdfast/plugin-api';
import { z } from 'zod';

const header = (name: string) =>
  z
    .string()
    .regex(/^[\w-]+$/, 'must be the name of a header')
    .default(name)
    .transform((text) => text.toLowerCase());

/** The person whom a reverse proxy has signed in, such as Authelia or Authentik behind nginx or Caddy. */
export default definePlugin({
  kind: 'sign-in',
  configuration: z.object({
    user: header('Remote-User'),
    name: header('Remote-Name'),
    email: header('Remote-Email'),
    groups: header('Remote-Groups'),
    groupsSeparator: z.string().min(1).default(','),
    label: z.string().trim().min(1).max(60).default('single sign-on'),
  }),
  create: ({ configuration: { user, name, email, groups, groupsSeparator, label } }) => ({
    label,
    issuer: 'reverse-proxy',
    async begin({ callback, fresh }) {
      if (fresh)
        throw new SignInRefused(
          'The reverse proxy cannot be told to ask for your password again: ask an administrator to give you one here.',
        );
      const state = randomUUID();
      const redirect = new URL(callback);
      redirect.searchParams.set('state', state);
      return { redirect: redirect.href, kept: state };
    },
    async finish({ url, kept, proxyHeaders }) {
      if (new URL(url).searchParams.get('state') !== kept)
        throw new SignInRefused('The answer belongs to another sign-in: start again.');
      const textOf = (key: string) => decoded(proxyHeaders[key] ?? '').trim();
      const subject = textOf(user);
      if (subject === '')
        throw new SignInRefused(
          `The request has no header ${user} from a proxy in TRUST_PROXY: open Holdfast through the reverse proxy.`,
        );
      return {
        subject,
        userName: subject,
        displayName: textOf(name) || null,
        email: textOf(email) || null,
        groups: textOf(groups)
          .split(groupsSeparator)
          .map((group) => group.trim())
          .filter((group) => group !== ''),
      };
    },
  }),
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Proxies send UTF-8, which HTTP reads as Latin-1. */
function decoded(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
