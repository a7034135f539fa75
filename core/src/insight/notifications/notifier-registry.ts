import type { NotificationService, NotificationTransport } from '@holdfast/plugin-api';
import { isViaApprise, schemeOfServiceUrl } from './service-url.rules.js';

interface OfferedService extends NotificationService {
  schemes: readonly string[];
}

export interface NotifierRegistry {
  /** Schemes with their own transport, sorted. Includes `*` when a transport accepts all others. */
  schemes: readonly string[];
  /** Services with a URL form, by name. */
  services: readonly OfferedService[];
  /**
   * The transport for a service URL: the one for its scheme, otherwise the fallback, otherwise null. Also
   * null for text that is not a service URL. A transport that yields leaves a URL to the fallback if it
   * rejects the URL, if the URL says so, and for channels created before it was added.
   */
  transportFor(url: string, options?: Preference): NotificationTransport | null;
}

export interface Preference {
  appriseFirst?: boolean;
}

/** Takes the transports that the plugin host loaded, which has checked that no scheme occurs twice. */
export function makeNotifierRegistry(transports: readonly NotificationTransport[]): NotifierRegistry {
  const byScheme = new Map(
    transports.flatMap((transport) => transport.schemes.map((scheme) => [scheme, transport])),
  );
  const rest = byScheme.get('*') ?? null;
  const services = transports.flatMap(({ service, schemes }) => (service ? [{ ...service, schemes }] : []));
  return {
    schemes: [...byScheme.keys()].sort(),
    services: services.sort((a, b) => a.name.localeCompare(b.name, 'en')),
    transportFor(url, { appriseFirst = false } = {}) {
      const scheme = schemeOfServiceUrl(url);
      if (scheme === null) return null;
      const own = byScheme.get(scheme) ?? null;
      if (own === null || rest === null || !own.yields) return own ?? rest;
      return appriseFirst || isViaApprise(url) || own.check?.(url) ? rest : own;
    },
  };
}
