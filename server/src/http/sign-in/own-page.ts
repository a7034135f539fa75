import { type AppError, forbidden, say } from '@holdfast/core/server';
import type { Request } from 'express';

/**
 * Why a request with the session cookie does not come from a page of this service; null if it does. Browsers
 * send `Sec-Fetch-Site` over HTTPS and to loopback addresses, and `Origin` with every request that changes
 * something.
 */
export function foreignPageRefusal(req: Request): AppError | null {
  if (req.get('x-holdfast-session') !== '1') {
    return forbidden(
      say`session_header_missing: Send the header X-Holdfast-Session: 1. Only Holdfast's own pages may use a session cookie.`,
    );
  }
  const site = req.get('sec-fetch-site');
  const isOwn = site === undefined ? req.get('origin') === originOf(req) : site === 'same-origin';
  return isOwn ? null : foreignPage();
}

const foreignPage = () =>
  forbidden(
    say`foreign_page: Only Holdfast's own pages may use a session cookie. Behind a proxy, set TRUST_PROXY and let the proxy pass on Host, or set X-Forwarded-Host and X-Forwarded-Proto.`,
  );

/** The address of this service as the browser sees it. */
export function ownOrigin(req: Request): string {
  const own = originOf(req);
  if (own === null) throw foreignPage();
  return own;
}

function originOf(req: Request): string | null {
  const own = `${req.protocol}://${hostOf(req)}`;
  return URL.canParse(own) ? new URL(own).origin : null;
}

type Trust = (address: string | undefined, hop: number) => boolean;

/** As express reads it, but with the port. */
function hostOf(req: Request): string | undefined {
  const trusts = req.app.get('trust proxy fn') as Trust;
  const forwarded = trusts(req.socket.remoteAddress, 0) ? req.get('x-forwarded-host') : undefined;
  return forwarded === undefined ? req.get('host') : forwarded.split(',', 1)[0]?.trim();
}
