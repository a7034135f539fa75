import type { Request } from 'express';

/** The URL of a request as the log may hold it: without the token, however its name or value was encoded. */
export function loggedUrl({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  const [path = '', query] = originalUrl.split(/\?(.*)/s, 2);
  if (query === undefined) return path;
  const parameters = new URLSearchParams(query);
  for (const name of [...parameters.keys()]) if (/token/i.test(name)) parameters.set(name, '***');
  return `${path}?${parameters}`;
}
