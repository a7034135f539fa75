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
