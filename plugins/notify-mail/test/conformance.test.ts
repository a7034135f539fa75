import { request } from 'node:http';
import { notifierSuite } from '@holdfast/testkit';
import type { SMTPServerSession } from 'smtp-server';
import { afterAll, beforeAll, describe, it } from 'vitest';
import plugin from '../src/index.js';
import { MailServer, type Received, refusalOf } from './mail-server.js';

/**
 * The suite speaks HTTP. This mail server hands each message on to the sink whose port is in the recipient, and answers
 * what that answers.
 */
let server: MailServer;
const sessions = new Map<string, AbortController>();
beforeAll(async () => {
  server = await MailServer.open({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onClose: ({ id }) => sessions.get(id)?.abort(),
  });
  server.take = async (received, session) => {
    const left = new AbortController();
    sessions.set(session.id, left);
    const { status, text } = await handedOn(received, left.signal).catch(() => hangUp(session));
    if (status >= 300) throw refusalOf(status < 400 || status >= 500 ? 451 : 550, text.replace(/\s+/g, ' '));
  };
});
afterAll(() => server.close());

function hangUp(session: SMTPServerSession): Promise<never> {
  server.drop(session);
  return new Promise(() => undefined);
}

const handedOn = ({ to, mail: { subject, text } }: Received, signal: AbortSignal) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const port = Number(/\d+/.exec(to[0] ?? '')?.[0]);
    const sending = request({ host: '127.0.0.1', port, method: 'POST', agent: false, signal }, (answer) => {
      answer.once('data', (chunk: Buffer) => {
        resolve({ status: answer.statusCode ?? 0, text: chunk.toString('utf8').slice(0, 400) });
        answer.destroy();
      });
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text: 'no reason' }));
    });
    // Mail has one more line break at its end.
    sending.on('error', reject).end(JSON.stringify({ subject, text: text?.replace(/\n$/, '') }));
  });

describe('notify-mail passes the suite for transports', () => {
  const suite = notifierSuite({
    plugin,
    urlFor: ({ host }) =>
      `mailto://ada:sesame-4711@${server.host}?mode=insecure&from=ada@mail.test&to=sink${host.split(':')[1]}@mail.test`,
    secrets: ['sesame-4711', 'YWRhOnNlc2FtZS00NzEx'],
  });
  for (const { name, run } of suite) it.concurrent(name, run);
});
