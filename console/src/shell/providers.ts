import { base } from '../base.js';
import { t } from '../i18n/messages.js';

export interface Provider {
  id: string;
  label: string;
}

const parameter = 'sign_in_error';

/** Also for those who are not signed in. Without an answer there are none: passwords work. */
export async function listProviders(): Promise<Provider[]> {
  try {
    const answer = await fetch(`${base}/api/auth/sign-in`);
    return answer.ok ? await answer.json() : [];
  } catch {
    return [];
  }
}

/** Where a visit to a provider comes back to. */
export function pathOfPage(): string {
  const here = new URL(location.href);
  here.searchParams.delete(parameter);
  return here.pathname.slice(base.length) + here.search + here.hash;
}

/** Why the visit to a provider that led to this page failed, in words; null: it did not. */
export function signInError(): string | null {
  const code = new URLSearchParams(location.search).get(parameter);
  if (code === null) return null;
  const words = t.people.signInErrors as Record<string, string>;
  return (Object.hasOwn(words, code) ? words[code] : undefined) ?? t.people.signInRefused(code.slice(0, 60));
}
