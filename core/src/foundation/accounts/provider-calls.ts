import { isSignInRefused, limitedSignal, type SignInProvider } from '@holdfast/plugin-api';
import type { z } from 'zod';
import { AppError, notFound, say } from '../kernel/index.js';
import type { AccountsNeeds } from './needs.js';
import { providerPatienceMs, type SignInRules } from './provider.rules.js';
import type { SessionSettings } from './sessions.js';

/** A plugin that signs users in, with its id. */
export interface SignIn {
  id: string;
  provider: SignInProvider;
}

export interface ProviderNeeds extends AccountsNeeds {
  signIns: readonly SignIn[];
  settings: SessionSettings['settings'] & { publicUrl: string | undefined; signIn: SignInRules };
}

/** The address that ends the session at the provider, too; null: it has none, or cannot be asked. */
export async function logoutAddress(
  needs: ProviderNeeds,
  { provider: id, logout }: { provider: string; logout: string },
): Promise<string | null> {
  const found = needs.signIns.find((each) => each.id === id)?.provider;
  if (!found?.end) return null;
  const backTo = `${needs.settings.publicUrl ?? ''}/`;
  const address = await withinPatience(async () => found.end?.(logout, backTo) ?? null, 3_000).catch(
    () => null,
  );
  return address !== null && /^https?:/.test(address) ? address : null;
}

export const refused = (problem: string, cause?: unknown) =>
  new AppError(
    'unauthenticated',
    say`sign_in_refused: You are not signed in: ${{ problem }}.`,
    cause === undefined ? {} : { cause },
  );

/** Calls a plugin, within a time limit, and checks its answer. */
export async function asked<T>(
  { signIns, log }: ProviderNeeds,
  id: string,
  shape: z.ZodType<T, z.ZodTypeDef, unknown>,
  call: (provider: SignInProvider, signal: AbortSignal) => Promise<unknown>,
): Promise<T> {
  const found = signIns.find((each) => each.id === id);
  if (!found) throw notFound(say`sign_in_unknown: There is no sign-in ${{ id }}: see GET /api/auth/sign-in.`);
  try {
    return shape.parse(await withinPatience((signal) => call(found.provider, signal), providerPatienceMs));
  } catch (error) {
    const problem = error instanceof Error ? error.message.replace(/[.!]$/, '') : 'it gave no reason';
    if (isSignInRefused(error)) throw refused(problem, error);
    log.warn('a sign-in plugin failed', { plugin: id, error });
    throw new AppError(
      'unavailable',
      say`sign_in_failed: Signing in with ${{ label: found.provider.label }} failed: ${{ problem }}. Sign in with a password, or try again later.`,
      { cause: error },
    );
  }
}

async function withinPatience<T>(work: (signal: AbortSignal) => Promise<T>, ms: number): Promise<T> {
  const signal = limitedSignal(ms);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the provider took too long')), { once: true });
  });
  return Promise.race([work(signal), late]);
}
