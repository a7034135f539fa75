import type { SinkAnswer, SinkRequest } from '@holdfast/testkit';

interface Said {
  status: number;
  body: object | string;
  headers?: Record<string, string>;
}

/** A service as its public documentation describes it: it takes what that allows, and nothing else. */
export interface Fake {
  /** A service URL that leads to it, with a token of the right form. */
  url(host: string, token?: string): string;
  token: string;
  /** The configuration of the plugin, for services with one address. */
  configuration(host: string): object;
  take(request: SinkRequest): Said;
}

/** Why a request is not what the documentation has. */
class Odd extends Error {}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Odd(what);
}

function jsonOf({ headers, body }: SinkRequest, allowed: readonly string[]): Record<string, unknown> {
  must(headers['content-type'] === 'application/json', 'the content type is not JSON');
  const fields = JSON.parse(body) as Record<string, unknown>;
  const unknown = Object.keys(fields).filter((name) => !allowed.includes(name));
  must(unknown.length === 0, `unknown fields: ${unknown.join(', ')}`);
  return fields;
}

const isText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= most;
const isBetween = (value: unknown, low: number, high: number): boolean =>
  Number.isInteger(value) && Number(value) >= low && Number(value) <= high;
const byAddress = (host: string) => ({ apiUrl: `http://${host}` });

const telegram: Fake = {
  token: '123456789:AAsesame-4711',
  url: (_, token = telegram.token) => `tgram://${token}/-1001234567890`,
  configuration: byAddress,
  take(request) {
    must(request.method === 'POST' && /^\/bot[^/]+\/sendMessage$/.test(request.path), 'not sendMessage');
    const no = (status: number, description: string): Said => ({
      status,
      body: { ok: false, error_code: status, description },
    });
    if (!request.path.startsWith(`/bot${telegram.token}/`)) return no(401, 'Unauthorized');
    const optional = ['disable_notification', 'link_preview_options', 'message_thread_id'];
    const { chat_id, text, message_thread_id } = jsonOf(request, ['chat_id', 'text', ...optional]);
    must(isText(text, 4_096), 'the text must have 1 to 4096 characters');
    must(message_thread_id === undefined || isBetween(message_thread_id, 1, 2 ** 31), 'no thread');
    if (chat_id !== '-1001234567890') return no(400, 'Bad Request: chat not found');
    return { status: 200, body: { ok: true, result: { message_id: 1 } } };
  },
};

const discord: Fake = {
  token: 'sesame_4711-token',
  url: (_, token = discord.token) => `discord://123456789012345678/${token}`,
  configuration: byAddress,
  take(request) {
    const [, id, token] =
      /^\/api\/webhooks\/(\d+)\/([\w-]+)\?wait=true(?:&thread_id=\d+)?$/.exec(request.path) ?? [];
    must(request.method === 'POST' && id !== undefined, 'not the execution of a webhook');
    if (id !== '123456789012345678')
      return { status: 404, body: { message: 'Unknown Webhook', code: 10015 } };
    if (token !== discord.token)
      return { status: 401, body: { message: 'Invalid Webhook Token', code: 50027 } };
    const fields = jsonOf(request, ['username', 'embeds', 'allowed_mentions']);
    const embeds = fields.embeds as { title: string; description: string; color: number }[];
    must(embeds.length === 1 && isBetween(embeds[0]?.color, 0, 0xffffff), 'not one embed with a colour');
    must(isText(embeds[0]?.title, 256) && isText(embeds[0]?.description, 4_096), 'a text is too long');
    must(JSON.stringify(fields.allowed_mentions) === '{"parse":[]}', 'mentions are not switched off');
    return { status: 200, body: { id: '1', type: 0 } };
  },
};

const slack: Fake = {
  token: 'sesame4711token',
  url: (_, token = slack.token) => `slack://T00000000/B00000000/${token}`,
  configuration: byAddress,
  take(request) {
    const [, team, token] = /^\/services\/(T\w+)\/B\w+\/(\w+)$/.exec(request.path) ?? [];
    must(request.method === 'POST' && team !== undefined, 'not a webhook');
    if (team !== 'T00000000') return { status: 404, body: 'no_team' };
    if (token !== slack.token) return { status: 403, body: 'invalid_token' };
    const { text } = jsonOf(request, ['text', 'mrkdwn', 'unfurl_links', 'unfurl_media']);
    must(
      isText(text, 40_000) && !/[<>]|&(?!(amp|lt|gt);)/.test(String(text)),
      'the text is long or not escaped',
    );
    return { status: 200, body: 'ok' };
  },
};

const gotify: Fake = {
  token: 'Asesame.4711-tok',
  url: (host, token = gotify.token) => `gotify://${host}/${token}`,
  configuration: () => ({}),
  take(request) {
    must(request.method === 'POST' && request.path === '/message', 'not a message');
    if (request.headers['x-gotify-key'] !== gotify.token) {
      const errorDescription =
        'you need to provide a valid access token or user credentials to access this api';
      return { status: 401, body: { error: 'Unauthorized', errorCode: 401, errorDescription } };
    }
    const { message, priority } = jsonOf(request, ['title', 'message', 'priority']);
    must(
      isText(message, Number.POSITIVE_INFINITY) && isBetween(priority, 0, 10),
      'no message, or no priority',
    );
    return { status: 200, body: { id: 25, appid: 5, message } };
  },
};

const pushover: Fake = {
  token: 'asesame4711token00000000000000',
  url: (_, token = pushover.token) => `pover://uexampleofauserkey000000000000@${token}`,
  configuration: byAddress,
  take(request) {
    must(request.method === 'POST' && request.path === '/1/messages.json', 'not a message');
    must(request.headers['content-type'] === 'application/x-www-form-urlencoded', 'not a form');
    const fields = Object.fromEntries(new URLSearchParams(request.body));
    const no = (wrong: object, error: string): Said => ({
      status: 400,
      body: { ...wrong, errors: [error], status: 0 },
    });
    if (fields.token !== pushover.token) return no({ token: 'invalid' }, 'application token is invalid');
    if (fields.user !== 'uexampleofauserkey000000000000') {
      const error = 'user identifier is not a valid user, group, or subscribed user key';
      return no({ user: 'invalid' }, error);
    }
    must(isText(fields.message, 1_024) && isText(fields.title, 250), 'a text is too long or empty');
    const priority = Number(fields.priority);
    must(isBetween(priority, -2, 2), 'not a priority');
    must(
      priority < 2 || (Number(fields.retry) >= 30 && Number(fields.expire) <= 10_800),
      'no retry or expire',
    );
    return { status: 200, body: { status: 1, request: '647d2300' } };
  },
};

const ntfy: Fake = {
  token: 'tk_sesame4711token',
  url: (host, token = ntfy.token) => `ntfy://${token}@${host}/backups-4712`,
  configuration: () => ({}),
  take(request) {
    must(request.method === 'POST' && request.path === '/', 'not published as JSON');
    const { authorization = '' } = request.headers;
    const basic = `Basic ${Buffer.from('ada:sesame-4711').toString('base64')}`;
    if (authorization === '') return { status: 403, body: { code: 40301, http: 403, error: 'forbidden' } };
    if (authorization !== `Bearer ${ntfy.token}` && authorization !== basic) {
      return { status: 401, body: { code: 40101, http: 401, error: 'unauthorized' } };
    }
    const { topic, message, priority } = jsonOf(request, ['topic', 'title', 'message', 'priority']);
    must(/^[-_A-Za-z0-9]{1,64}$/.test(String(topic)), 'not a topic');
    must(Buffer.byteLength(String(message)) <= 4_096 && message !== '', 'the message is too long or empty');
    must(isBetween(priority, 1, 5), 'not a priority');
    return { status: 200, body: { id: 'hwQ2YpKdmg', event: 'message', topic } };
  },
};

export const fakes = { telegram, discord, slack, gotify, pushover, ntfy };

/** How a sink answers as a service does. */
export const asService =
  ({ take }: Fake): SinkAnswer =>
  (response, request) => {
    const { status, body, headers = {} } = attempt(() => take(request));
    const isJson = typeof body !== 'string';
    response.writeHead(status, { 'content-type': isJson ? 'application/json' : 'text/plain', ...headers });
    response.end(isJson ? JSON.stringify(body) : body);
  };

function attempt(work: () => Said): Said {
  try {
    return work();
  } catch (error) {
    return { status: 422, body: `the test service does not know this: ${(error as Error).message}` };
  }
}
