import { failureOf, shown } from '@holdfast/notify-transport';
import { DeliveryError } from '@holdfast/plugin-api';
import type { MailRoute } from './mail-url.js';

/** What nodemailer adds to an error. */
interface MailError {
  code?: string;
  /** Of the system or of TLS, before nodemailer replaced it. */
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** The codes of lost connections, as others write them. */
const connectionCodes: Record<string, string> = {
  ECONNECTION: 'ECONNRESET',
  ESOCKET: 'ECONNRESET',
  EDNS: 'ENOTFOUND',
};

/** Explains in one sentence why a mail server did not take a message. */
export function mailFailure(
  { host, to, secrets }: Pick<MailRoute, 'host' | 'to' | 'secrets'>,
  error: unknown,
): DeliveryError {
  const {
    code = '',
    originalCode,
    command = '',
    response = '',
    responseCode = 0,
  } = (error ?? {}) as MailError;
  const say = (what: string) => {
    const answer = shown(response, secrets);
    const retryable = responseCode === 0 || responseCode < 500;
    return new DeliveryError(`${host} ${what}${answer === '' ? '.' : `: ${answer}`}`, { retryable });
  };
  if (code === 'EAUTH') {
    return say('rejected the user name or the password. Many providers want an app password; update the URL');
  }
  if (code === 'ETLS' && command === 'STARTTLS' && response !== '') {
    return say(
      'offers no STARTTLS. Use smtps:// for TLS from the start, or mode=insecure to send without encryption',
    );
  }
  if (command === 'RCPT TO') return say(to.length > 1 ? 'refused the recipients' : 'refused the recipient');
  if (command === 'MAIL FROM') return say('refused the sender');
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return say('refused the message');
  if (code === 'EPROTOCOL') return say('is not a mail server, or does not accept mail now');
  if (error instanceof DeliveryError || code === '') return failureOf(host, error);
  return failureOf(host, { code: originalCode ?? connectionCodes[code] ?? code });
}
