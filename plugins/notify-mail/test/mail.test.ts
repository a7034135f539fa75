import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { NotificationMessage } from '@holdfast/plugin-api';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { message, refusal, transportOf } from '../../notify-transport/test/service.js';
import plugin from '../src/index.js';
import { readMailUrl } from '../src/mail-url.js';
import { serverOf } from '../src/provider.js';
import { MailServer, type Received, refusalOf } from './mail-server.js';

let server: MailServer;
const open = async (options: SMTPServerOptions = {}) => {
  server = await MailServer.open(options);
  return server;
};
afterEach(() => server?.close());

const own = 'from=ada@mail.test&to=ops@mail.test';
const send = async (url: string, changes: Partial<NotificationMessage> = {}) =>
  (await transportOf(plugin)).send(url, { ...message, ...changes }, { signal: new AbortController().signal });
const refused = (url: string) => refusal(send(url));
async function received(url: string, changes: Partial<NotificationMessage> = {}): Promise<Received> {
  await send(url, changes);
  return server.received.at(-1) as Received;
}

describe('a connection', () => {
  it('is upgraded by STARTTLS before the login', async () => {
    const { host } = await open();
    const mail = await received(`mailtos://ada:sesame-4711@${host}?verify=no&${own}`);
    expect(mail).toMatchObject({
      user: 'ada',
      isEncrypted: true,
      from: 'ada@mail.test',
      to: ['ops@mail.test'],
    });
    await received(`mailto://ada:sesame-4711@${host}?verify=no&${own}`);
    await received(`smtp://ada:sesame-4711@${host}?verify=no&mode=starttls&${own}`);
    expect(server.received.map(({ isEncrypted }) => isEncrypted)).toEqual([true, true, true]);
  });

  it('is encrypted from the start by smtps:// or mode=ssl', async () => {
    const { host } = await open({ secure: true });
    expect(await received(`smtps://ada:sesame-4711@${host}?verify=no&${own}`)).toMatchObject({
      isEncrypted: true,
    });
    expect(await received(`mailtos://ada:sesame-4711@${host}?verify=no&mode=ssl&${own}`)).toMatchObject({
      isEncrypted: true,
      user: 'ada',
    });
  });

  it.each(['mailtos', 'smtps'])('%s:// trusts no unknown certificate', async (scheme) => {
    const { host } = await open({ secure: scheme === 'smtps' });
    const error = await refused(`${scheme}://ada:sesame-4711@${host}?${own}`);
    expect(error.message).toMatch(
      /certificate that this server does not trust; .*NODE_EXTRA_CA_CERTS, or put verify=no|expired/,
    );
    expect([error.retryable, server.received]).toEqual([true, []]);
  });

  it('carries no password without encryption', async () => {
    const passwords: string[] = [];
    const { host } = await open({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, callback) => {
        passwords.push(String(password));
        callback(null, { user: String(username) });
      },
    });
    for (const scheme of ['mailto', 'mailtos', 'smtp']) {
      expect(await refused(`${scheme}://ada:sesame-4711@${host}?${own}`)).toMatchObject({
        retryable: false,
        message: expect.stringMatching(/offers no STARTTLS\. Use smtps:\/\/ .* or mode=insecure/),
      });
    }
    expect(passwords).toEqual([]);
    await received(`mailto://ada:sesame-4711@${host}?mode=insecure&${own}`);
    expect(passwords).toEqual(['sesame-4711']);
  });

  it('is encrypted without a password if any server offers it', async () => {
    const { host } = await open({ authOptional: true });
    expect(await received(`mailto://${host}?${own}`)).toMatchObject({ user: '', isEncrypted: true });
    expect(await received(`mailto://${host}?mode=insecure&${own}`)).toMatchObject({ isEncrypted: false });
    await server.close();
    const plain = await open({ authOptional: true, disabledCommands: ['STARTTLS'] });
    expect(await received(`mailto://${plain.host}?${own}`)).toMatchObject({ isEncrypted: false });
  });

  it('is not made to a metadata address', async () => {
    await open();
    const { check } = await transportOf(plugin);
    expect(check?.(`mailtos://169.254.169.254?${own}`)).toMatch(/metadata address.*NOTIFY_ALLOWED_NETWORKS/);
    expect(await refused(`mailtos://0xa9fea9fe:25?${own}`)).toMatchObject({ retryable: false });
  });
});

describe('a refusal', () => {
  it('suggests a fix for a password without repeating it', async () => {
    const { host } = await open();
    const error = await refused(`mailtos://ada:wrong-4711@${host}?verify=no&${own}`);
    expect(error).toMatchObject({ retryable: false });
    expect(error.message).toMatch(
      /^127\.0\.0\.1 rejected the user name or the password\. Many providers want an app password; update the URL: .*535 /,
    );
    expect(error.message).not.toContain('wrong-4711');
  });

  it('is permanent for the only recipient or the sender', async () => {
    const { host } = await open();
    const login = `mailtos://ada:sesame-4711@${host}?verify=no`;
    expect(await refused(`${login}&from=ada@mail.test&to=nobody@mail.test`)).toMatchObject({
      retryable: false,
      message: expect.stringMatching(/refused the recipient: 550 5\.1\.1 <\*\*\*> is unknown here$/),
    });
    expect(await refused(`${login}&from=noone@mail.test&to=ops@mail.test`)).toMatchObject({
      retryable: false,
      message: expect.stringMatching(/refused the sender: 553 5\.7\.1 Sender not owned/),
    });
  });

  it('is reported for one of several recipients without a second mail to others', async () => {
    const { host } = await open();
    const url = `mailtos://ada:sesame-4711@${host}?verify=no&from=ada@mail.test&to=ops@mail.test,nobody@mail.test`;
    const error = await refused(url);
    expect(error).toMatchObject({ retryable: false });
    expect(error.message).toMatch(/accepted the message but refused 1 of 2 recipients: 550/);
    expect(server.received.map(({ to }) => to)).toEqual([['ops@mail.test']]);
  });

  it.each([
    [451, true],
    [552, false],
  ])('is retried for a message with %i: %s', async (code, retryable) => {
    const { host } = await open();
    server.take = async () => {
      throw refusalOf(code, 'not now');
    };
    const error = await refused(`mailtos://ada:sesame-4711@${host}?verify=no&${own}`);
    expect(error).toMatchObject({
      retryable,
      message: expect.stringMatching(/refused the message: \d+ not now$/),
    });
  });

  it('is retried for a lost connection or another kind of server', async () => {
    const other = createServer((socket) =>
      socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await refused(`mailtos://${host}?${own}`)).toMatchObject({ retryable: true });
    other.close();
    await once(other, 'close');
    expect(await refused(`mailtos://${host}?${own}`)).toMatchObject({
      retryable: true,
      message: '127.0.0.1 refuses the connection.',
    });
    await open();
  });
});

describe('a mail', () => {
  const url = ({ host }: MailServer) => `mailto://${host}?mode=insecure&${own}`;

  it('has a subject in any language, a page and its text', async () => {
    const body =
      '<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head><body>\n<h2>Größe &amp; 漢字</h2>' +
      '<table><tr><td><b>Repository</b></td><td>home</td></tr>\n<tr><td><b>Job</b></td><td>7</td></tr></table>\n' +
      '<p>one<br>two &lt;b&gt;</p>\n</body></html>';
    const { mail } = await received(url(await open({ authOptional: true })), {
      title: '❌ Sicherung: Größe 漢字',
      body,
      format: 'html',
    });
    expect(mail.subject).toBe('❌ Sicherung: Größe 漢字');
    expect(mail.html).toContain('Größe &amp; 漢字');
    expect(mail.text?.trim()).toBe('Größe & 漢字\n\nRepository: home\nJob: 7\n\none\ntwo <b>');
  });

  it('has an id that stays, and says that a machine wrote it', async () => {
    const { mail, source } = await received(url(await open({ authOptional: true })));
    expect(mail.messageId).toBe(`<${message.id}@mail.test>`);
    expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(source).toMatch(/^Importance: high\r$/im);
    expect((await received(url(server), { type: 'success' })).source).not.toMatch(/^Importance: high/im);
  });

  it('gets no header or recipient by a name', async () => {
    const evil = 'home\r\nBcc: eve@mail.test\r\n\r\nother body';
    const { mail, to, source } = await received(url(await open({ authOptional: true })), {
      title: evil,
      id: `x>\r\nX-Evil: 1`,
    });
    expect(to).toEqual(['ops@mail.test']);
    expect(mail.bcc).toBeUndefined();
    expect(source).not.toMatch(/^(Bcc|X-Evil):/im);
    expect(mail.text).toContain('the disk is full');
  });

  it('has all its recipients, by query or path, and a sender with a name', async () => {
    const { host } = await open({ authOptional: true });
    const { mail, to } = await received(
      `mailto://${host}/a@mail.test/?mode=insecure&from=Backup%20<ada@mail.test>&to=b@mail.test,c@mail.test&cc=d@mail.test&bcc=e@mail.test`,
    );
    expect(to.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@mail.test`));
    expect(mail.from).toMatchObject({ name: 'Backup', address: 'ada@mail.test' });
    expect(mail.bcc).toBeUndefined();
  });

  it('goes to its sender if the URL has no recipient', async () => {
    const { host } = await open();
    const { from, to } = await received(`mailtos://ada%40mail.test:sesame-4711@${host}?verify=no`);
    expect([from, to]).toEqual(['ada@mail.test', ['ada@mail.test']]);
  });

  it('is sent where smtp and port say, with the login in the query', async () => {
    const [, port] = (await open()).host.split(':');
    const url = `mailtos://mail.test?smtp=127.0.0.1&port=${port}&user=ada&pass=sesame-4711&verify=no&to=ops@mail.test`;
    expect(await received(url)).toMatchObject({ user: 'ada', from: 'ada@mail.test' });
  });
});

it('finds the server for an address of a known provider', async () => {
  const route = await serverOf(readMailUrl('mailto://ada:pw@gmail.com?to=b@mail.test'));
  expect(route).toMatchObject({
    host: 'smtp.gmail.com',
    port: 465,
    encryption: 'tls',
    user: 'ada@gmail.com',
    from: { address: 'ada@gmail.com' },
  });
  for (const url of [
    'mailtos://ada:pw@mail.test',
    'mailtos://ada:pw@gmail.com:2525',
    'smtp://ada:pw@gmail.com',
  ]) {
    const own = readMailUrl(url);
    expect(await serverOf(own)).toBe(own);
  }
});

it.each([
  ['mailtos://', /names no mail server/],
  ['mailtos://host', /names no sender: add from=/],
  ['mailtos://ada:pw@host?to=nobody', /mail address that is not valid/],
  ['mailtos://ada:pw@host?to=a@b.test%0D%0ARCPT', /control character/],
  ['mailtos://ada:pw@host?mode=odd', /must be starttls, ssl or insecure/],
  ['mailtos://ada:pw@host:99999', /port in the URL must be a number/],
  ['mailtos://ada:pw@ho:st', /names no mail server/],
])('%s is refused', async (url, reason) => {
  expect((await transportOf(plugin)).check?.(url)).toMatch(reason);
});
