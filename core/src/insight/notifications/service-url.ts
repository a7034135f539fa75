import type { NotificationTransport } from '@holdfast/plugin-api';
import { type Message, say } from '../../foundation/kernel/index.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';
import type { NotifierRegistry, Preference } from './notifier-registry.js';
import { problemOfServiceUrl, schemeOfServiceUrl, secretsOfServiceUrl } from './service-url.rules.js';
import type { NotificationSettingRow } from './tables.js';

type Sealed = Pick<NotificationSettingRow, 'uid' | 'service_url' | 'scheme'>;

/** Envelopes are bound to the setting's uid: one that was copied into another row can't be decrypted. */
const purpose = (uid: string) => `notification:${uid}`;

export const sealServiceUrl = (box: SecretBox, uid: string, url: string): Omit<Sealed, 'uid'> => ({
  service_url: box.seal(purpose(uid), url),
  scheme: schemeOfServiceUrl(url) ?? '',
});

/** Throws when the secret key has changed. */
export const openServiceUrl = (box: SecretBox, row: Omit<Sealed, 'scheme'>): string =>
  box.open(purpose(row.uid), row.service_url);

/** Redacts the URL and its possible secrets until the returned function is called. */
export function protectServiceUrl(redactor: Redactor, url: string): () => void {
  const held = secretsOfServiceUrl(url).map((secret) => redactor.protect(secret));
  return () => {
    for (const each of held) each.release();
  };
}

/** The transport of a service URL, or the reason why it has none. */
export function usableTransport(
  notifiers: NotifierRegistry,
  url: string,
  preference: Preference = {},
): { transport: NotificationTransport } | { problem: Message } {
  const problem = problemOfServiceUrl(url);
  if (problem !== null) return { problem };
  const transport = notifiers.transportFor(url, preference);
  if (transport === null) return { problem: missingTransport(notifiers, schemeOfServiceUrl(url) ?? '') };
  const wrong = transport.check?.(url) ?? null;
  return wrong === null ? { transport } : { problem: say`service_url_rejected: ${{ problem: wrong }}` };
}

function missingTransport({ schemes }: NotifierRegistry, scheme: string): Message {
  const supported = schemes.length > 0 ? schemes.map((each) => `${each}://`) : 'none';
  if (!/^https?$/.test(scheme)) {
    return say`notification_transport_missing: No transport supports ${{ scheme }}://. Supported: ${{ supported }}. For other services, set APPRISE_API_URL to an apprise-api server and restart Holdfast.`;
  }
  const instead = scheme === 'https' ? 'jsons' : 'json';
  return say`service_url_of_web_page: No transport supports ${{ scheme }}://. For a webhook, write ${{ instead }}:// instead of ${{ scheme }}://; for one of Discord or Slack, discord:// or slack://. Supported: ${{ supported }}. For other services, set APPRISE_API_URL to an apprise-api server and restart Holdfast.`;
}
