import type { NotificationTransport } from '@holdfast/plugin-api';
import { schemeOfServiceUrl } from './service-url.rules.js';

export interface NotifierRegistry {
  /** Schemes with their own transport, sorted. Includes `*` when a transport accepts all others. */
  schemes: readonly string[];
  /**
   * The transport for a service URL: the one for its scheme, else the one that accepts all others, else null.
   * Also null for text that is not a service URL.
   */
  transportFor(url: string): NotificationTransport | null;
}

/** Takes the transports that the plugin host loaded, which has checked that no scheme occurs twice. */
export function makeNotifierRegistry(transports: readonly NotificationTransport[]): NotifierRegistry {
  const byScheme = new Map(
    transports.flatMap((transport) => transport.schemes.map((scheme) => [scheme, transport])),
  );
  return {
    schemes: [...byScheme.keys()].sort(),
    transportFor(url) {
      const scheme = schemeOfServiceUrl(url);
      return scheme === null ? null : (byScheme.get(scheme) ?? byScheme.get('*') ?? null);
    },
  };
}
