import type { Browser } from '../browser.js';
import { SoftAuthenticator } from '../soft-authenticator.js';
import { expectStatus } from './drive-accounts.js';

/** Adds a passkey, uses it in each way, and removes it. */
export async function drivePasskeys({ page, api }: Browser, password: string): Promise<void> {
  const { origin } = new URL(api.baseUrl);
  const authenticator = new SoftAuthenticator();
  const begun = expectStatus(await page.post('/api/auth/passkeys/setup', { password }), 200).body;
  const made = authenticator.create(begun.options, { origin });
  const added = { challenge: begun.challenge, name: 'in software', response: made };
  const { passkey } = expectStatus(await page.post('/api/auth/passkeys', added), 200).body;
  const path = `/api/auth/passkeys/${passkey.id}`;
  expectStatus(await page.post(`${path}/rename`, { name: 'renamed' }), 200);
  const offered = expectStatus(await api.post('/api/auth/session/passkey/options', {}), 200).body;
  const answer = (asked: { challenge: string; options: { challenge: string } }) => ({
    challenge: asked.challenge,
    response: authenticator.get(asked.options, { origin }),
  });
  expectStatus(await api.post('/api/auth/session/passkey', answer(offered)), 200);
  expectStatus(await api.post('/api/auth/session/passkey', answer(offered)), 401);
  const asked = expectStatus(await page.post('/api/auth/passkeys/confirm-options'), 200).body;
  expectStatus(await page.post('/api/auth/confirm', answer(asked)), 200);
  expectStatus(await page.delete(path), 200);
}
