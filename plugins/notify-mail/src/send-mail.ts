import { connect, type Socket } from 'node:net';
import {
  cut,
  ForbiddenAddressError,
  type Forbidding,
  failureOf,
  forbiddenLiteral,
  guardedLookup,
  shown,
} from '@holdfast/notify-transport';
import { DeliveryError, limitedSignal, type NotificationMessage } from '@holdfast/plugin-api';
import { mailFailure } from './mail-failure.js';
import type { MailRoute } from './mail-url.js';
import { plainText } from './plain-text.js';
import { serverOf } from './provider.js';

/** For one attempt. */
const attemptTimeoutMs = 30_000;
const longestSubject = 250;

/** Resolves when the server accepted the message for all recipients. @throws DeliveryError */
export async function sendMail(
  route: MailRoute,
  message: NotificationMessage,
  { isForbidden, signal }: { isForbidden: Forbidding; signal: AbortSignal },
): Promise<void> {
  const limited = limitedSignal(attemptTimeoutMs, signal);
  let server = route;
  let socket: Socket | undefined;
  try {
    limited.throwIfAborted();
    server = await serverOf(route);
    socket = await connected(server, { isForbidden, signal: limited });
    await handOver({ socket, server, message, signal: limited });
  } catch (error) {
    throw limited.aborted ? failureOf(server.host, limited.reason) : mailFailure(server, error);
  } finally {
    socket?.destroy();
  }
}

interface HandOver {
  socket: Socket;
  server: MailRoute;
  message: NotificationMessage;
  signal: AbortSignal;
}

async function handOver({ socket, server, message, signal }: HandOver): Promise<void> {
  // Loaded with the first message: a service without mail saves the memory.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...settingsOf(server),
    getSocket: (_, use) => use(null, { connection: socket }),
  });
  const sent = await transport.sendMail({ ...mailOf(server, message), signal });
  const { accepted, rejected, rejectedErrors = [] } = sent;
  if (rejected.length === 0) return;
  const [refused, all] = [rejected.length, accepted.length + rejected.length];
  const answer = shown(rejectedErrors[0]?.response ?? '', server.secrets);
  throw new DeliveryError(
    `${server.host} accepted the message but refused ${refused} of ${all} recipients: ${answer}`,
    // Another attempt would repeat it for the others.
    { retryable: false },
  );
}

const usualPorts = { tls: 465, starttls: 587, opportunistic: 25, none: 25 };

const settingsOf = ({ host, encryption, user, password, verifyCertificate }: MailRoute) => ({
  host,
  secure: encryption === 'tls',
  requireTLS: encryption === 'starttls',
  ignoreTLS: encryption === 'none',
  // Who offers no encryption is not asked to prove who they are when they do.
  tls: { rejectUnauthorized: verifyCertificate && encryption !== 'opportunistic' },
  ...(user !== '' && { auth: { user, pass: password }, forceAuth: true }),
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  maxResponseSize: 65_536,
});

/** A connection to an address that is not forbidden. */
function connected(
  { host, port, encryption }: MailRoute,
  { isForbidden, signal }: { isForbidden: Forbidding; signal: AbortSignal },
): Promise<Socket> {
  const literal = forbiddenLiteral(host, isForbidden);
  if (literal !== null) throw failureOf(host, new ForbiddenAddressError(literal));
  return new Promise((resolve, reject) => {
    const place = { host, port: port ?? usualPorts[encryption], lookup: guardedLookup(isForbidden) };
    const socket = connect({ ...place, signal }, () => resolve(socket));
    // Also after that: an error that nobody listens to would end the process.
    socket.on('error', (error) => reject(failureOf(host, error)));
  });
}

function mailOf({ from, to, cc, bcc }: MailRoute, { id, title, body, format, type }: NotificationMessage) {
  return {
    from,
    to,
    cc,
    bcc,
    subject: cut(title, longestSubject),
    ...(format === 'html' ? { html: body, text: plainText(body) } : { text: body }),
    // The same for each attempt: mail programs show only one.
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    headers: { 'X-Holdfast-Id': id, 'Auto-Submitted': 'auto-generated' },
    priority: type === 'failure' ? ('high' as const) : ('normal' as const),
    textEncoding: 'quoted-printable' as const,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
