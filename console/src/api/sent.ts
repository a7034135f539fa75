import { hideSecrets } from './secrets.rules.js';

/** A sent request, without the token and secrets. */
export interface Sent {
  method: string;
  url: string;
  ifMatch: string | null;
  /** Null: none, or a file. */
  body: unknown;
  hasFile: boolean;
}

const most = 30;
const requests: Sent[] = [];

/** Remembers the last requests of this tab, in memory only, so that they can be shown as commands. */
export async function noteSent(request: Request): Promise<void> {
  const { method, url, headers } = request;
  const hasFile = headers.get('Content-Type')?.startsWith('multipart/') ?? false;
  const asked: Promise<unknown> =
    hasFile || method === 'GET' ? Promise.resolve(null) : request.clone().json();
  const body = hideSecrets(await asked.catch(() => null));
  const sent: Sent = { method, url, ifMatch: headers.get('If-Match'), body, hasFile };
  const before = requests.findIndex((other) => JSON.stringify(other) === JSON.stringify(sent));
  if (before >= 0) requests.splice(before, 1);
  requests.unshift(sent);
  requests.length = Math.min(requests.length, most);
}

/** Newest first. */
export const lastSent = (): readonly Sent[] => [...requests];
export const forgetSent = (): void => void requests.splice(0);
