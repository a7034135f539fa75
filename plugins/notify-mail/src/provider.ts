import type { MailRoute } from './mail-url.js';

/** Providers whose server has another name than their addresses: gmail.com is served by smtp.gmail.com. */
export async function serverOf(route: MailRoute): Promise<MailRoute> {
  if (!route.isDomain) return route;
  const { default: wellKnown } = await import('nodemailer/lib/well-known');
  const known = wellKnown(route.host) || undefined;
  if (known?.host === undefined) return route;
  const user = route.user === '' || route.user.includes('@') ? route.user : `${route.user}@${route.host}`;
  const encryption = known.secure ? 'tls' : 'starttls';
  return { ...route, user, encryption, host: known.host, port: Number(known.port) };
}
