import type { NotificationTransport } from '@holdfast/plugin-api';
import { schemeOfServiceUrl } from './service-url.rules.js';

export interface NotifierRegistry {
  /** The schemes that are served by name, sorted; `*` among them when one transport takes all others. */
  schemes: readonly string[];
  /**
   * The transport for a service URL: the one that names its scheme, else the one that takes the rest, else null,
   * as for a text that is no service URL at all.
   */
  transportFor(url: string): NotificationTransport | null;
}

/** Of the transports that the plugin host loaded; it has seen to it that no scheme is named twice. */
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
