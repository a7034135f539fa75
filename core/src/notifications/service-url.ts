import type { NotificationTransport } from '@holdfast/plugin-api';
import type { Redactor, SecretBox } from '../ports/services.js';
import type { NotifierRegistry } from './notifier-registry.js';
import { faultOfServiceUrl, schemeOfServiceUrl, secretsOfServiceUrl } from './service-url.rules.js';
import type { NotificationSettingRow } from './tables.js';

type Sealed = Pick<NotificationSettingRow, 'uid' | 'service_url' | 'scheme'>;

/** Envelopes are bound to the setting's uid: one copied into another row does not open. */
const purpose = (uid: string) => `notification:${uid}`;

export const sealServiceUrl = (box: SecretBox, uid: string, url: string): Omit<Sealed, 'uid'> => ({
  service_url: box.seal(purpose(uid), url),
  scheme: schemeOfServiceUrl(url) ?? '',
});

/** Throws when the key of the service was changed. */
export const openServiceUrl = (box: SecretBox, row: Omit<Sealed, 'scheme'>): string =>
  box.open(purpose(row.uid), row.service_url);

/** Hides the URL, and what in it may be a secret, until the returned release. */
export function protectServiceUrl(redactor: Redactor, url: string): () => void {
  const held = secretsOfServiceUrl(url).map((secret) => redactor.protect(secret));
  return () => {
    for (const each of held) each.release();
  };
}

/** The transport of a service URL, or one sentence about why there is none. */
export function usableTransport(
  notifiers: NotifierRegistry,
  url: string,
): { transport: NotificationTransport } | { fault: string } {
  const fault = faultOfServiceUrl(url);
  if (fault !== null) return { fault };
  const transport = notifiers.transportFor(url);
  if (transport === null) return { fault: missingTransport(notifiers, schemeOfServiceUrl(url) ?? '') };
  const wrong = transport.check?.(url) ?? null;
  return wrong === null ? { transport } : { fault: wrong };
}

function missingTransport({ schemes }: NotifierRegistry, scheme: string): string {
  const served = schemes.map((each) => `${each}://`).join(', ') || 'none';
  return (
    `No transport serves ${scheme}:// here. Served are: ${served}. For the services of the notification library, ` +
    'set APPRISE_API_URL to an apprise-api server and start the service again.'
  );
}
