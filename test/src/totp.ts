import { Secret, TOTP } from 'otpauth';
import type { Api } from './api.js';

/** The code that an authenticator app shows; `steps` of 30 s later or earlier. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Sets up an app for the caller. The code of the previous step is used up, so that the current one is free. */
export async function setUpTotp(api: Api, password: string) {
  const begun = await api.post('/api/auth/totp/setup', { password });
  if (begun.status !== 200) throw new Error(`no set-up: ${begun.status} ${begun.text}`);
  const { challenge, secret } = begun.body as { challenge: string; secret: string };
  const enabled = await api.post('/api/auth/totp/enable', { challenge, code: codeOf(secret, -1) });
  if (enabled.status !== 200) throw new Error(`not enabled: ${enabled.status} ${enabled.text}`);
  return { secret, recoveryCodes: enabled.body.recovery_codes as string[] };
}
