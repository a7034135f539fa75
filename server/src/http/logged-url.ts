import type { Request } from 'express';

const secretName = /token|ticket|pass|secret|key|auth|credential|signature/i;
/** Access tokens and tickets, wherever someone put them. */
const secretText = /hft?_[A-Za-z0-9_-]{20,}/g;
const hidden = '***';

/**
 * The URL of a request as the log may hold it: no value whose name sounds like a secret, and no token or ticket
 * anywhere, however names and values were encoded.
 */
export function loggedUrl({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  const [path = '', query] = originalUrl.split(/\?(.*)/s, 2);
  const shown = withoutSecrets(path);
  if (query === undefined) return shown;
  const parameters = [...new URLSearchParams(query)].map(([name, value]): [string, string] => [
    name.replace(secretText, hidden),
    secretName.test(name) ? hidden : value.replace(secretText, hidden),
  ]);
  return `${shown}?${new URLSearchParams(parameters)}`;
}

export const withoutTokens = (text: string): string => text.replace(secretText, hidden);

/** As it was sent, unless something must go. */
function withoutSecrets(path: string): string {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // No valid encoding: what it holds is what stands there.
  }
  const clean = withoutTokens(decoded);
  return clean === decoded ? path : encodeURI(clean);
}
