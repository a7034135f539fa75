import type { Request } from 'express';

const secretName = /token|ticket|pass|secret|key|auth|credential|signature/i;
/** Access tokens, refresh tokens and tickets anywhere in the URL. */
const secretText = /hf[st]?_[A-Za-z0-9_-]{20,}/g;
const hidden = '***';
/** All that a sign-in with a provider has in its query: codes, states, and where it leads. */
const secretQuery = /\/api\/auth\/sign-in\//;

/**
 * The URL of a request without secrets: masks values whose names suggest a secret, and all tokens and
 * tickets, regardless of encoding.
 */
export function loggedUrl({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  const [path = '', query] = originalUrl.split(/\?(.*)/s, 2);
  const shown = withoutSecrets(path);
  if (query === undefined) return shown;
  const parameters = [...new URLSearchParams(query)].map(([name, value]): [string, string] => [
    name.replace(secretText, hidden),
    secretQuery.test(path) || secretName.test(name) ? hidden : value.replace(secretText, hidden),
  ]);
  return `${shown}?${new URLSearchParams(parameters)}`;
}

export const withoutTokens = (text: string): string => text.replace(secretText, hidden);

/** Unchanged unless it contains a secret. */
function withoutSecrets(path: string): string {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // Not valid percent-encoding: use it as is.
  }
  const clean = withoutTokens(decoded);
  return clean === decoded ? path : encodeURI(clean);
}
