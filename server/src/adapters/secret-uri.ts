const userInformation = /^[a-z0-9+.-]+:\/\/[^/?@:]*:([^/?]*)@/i;
const secretOption = /[?&][^=&]*(?:password|secret|token|properties)[^=&]*=([^&]+)/gi;

/**
 * The secrets of a connection string: the whole URI, and its passwords and tokens, both encoded and decoded.
 */
export function secretsOfUri(uri: string | undefined): string[] {
  if (uri === undefined) return [];
  const options = [...uri.matchAll(secretOption)].map(([, value]) => value);
  const secrets = [userInformation.exec(uri)?.[1], ...options].filter((secret) => secret !== undefined);
  return [uri, ...secrets.flatMap((secret) => [secret, decoded(secret)])];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The secrets in the address of a monitor: anyone who knows its path can send heartbeats. */
export function secretsOfMonitor(address: string | undefined): string[] {
  if (address === undefined) return [];
  const { pathname, searchParams } = new URL(address);
  const parts = [...pathname.split('/'), ...searchParams.values()].filter(
    (part) => part.length >= longEnough,
  );
  return [...secretsOfUri(address), ...parts.flatMap((part) => [part, decoded(part)])];
}

/** Shorter parts of a path are words such as `ping`. */
const longEnough = 16;
