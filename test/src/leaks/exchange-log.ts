import { contract } from '@holdfast/contracts';
import type { Exchange } from '../api.js';
import { type ContractRoute, routesOf } from '../gates/contract-routes.js';
import type { Channel, Material } from './scan.js';
import type { SecretBook, SecretKind } from './secret-book.js';

const routes = routesOf(contract).map((route) => ({ ...route, pattern: patternOf(route.path) }));

/** A path with a parameter in the place of a fixed word is another route's: fewer parameters first. */
const byParameters = [...routes].sort((a, b) => count(a.path) - count(b.path));

function count(path: string): number {
  return path.split(':').length;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')}/?$`);
}

/** All that opens the repositories. */
const onSheets: ReadonlySet<SecretKind> = new Set(['passphrase', 'repository_key', 'system_key']);
/** In settings and files of borgmatic that an administrator asks for with secrets. */
const inFiles: ReadonlySet<SecretKind> = new Set(['passphrase', 'service_url', 'parameter', 'source']);

const routeOf = ({ method, url }: Exchange): ContractRoute | undefined =>
  byParameters.find((route) => route.method === method && route.pattern.test(url.pathname));

/** Keeps every exchange of a run, and learns the secrets that answers reveal. */
export class ExchangeLog {
  readonly #exchanges: Exchange[] = [];
  readonly #administrators = new Set<string>();
  #learned = 0;

  constructor(readonly book: SecretBook) {}

  add = (exchange: Exchange): void => {
    this.#exchanges.push(exchange);
    const { body, status } = exchange.answer;
    const reveals = status < 300 ? routeOf(exchange)?.metadata?.reveals : undefined;
    if (reveals === 'access_token') this.#learn('access token', body.access_token, reveals);
    const [, refreshToken] =
      /^holdfast_session=(hfs_[^;]+)/.exec(exchange.answer.headers['set-cookie'] ?? '') ?? [];
    if (reveals === 'access_token' && refreshToken) this.#learn('refresh token', refreshToken, reveals);
    const { second_factor: due } = status === 401 && body instanceof Object ? body : { second_factor: null };
    if (due) this.#learn('challenge', due.challenge, 'second_factor');
    if (reveals === 'second_factor')
      for (const secret of [body.secret ?? [], body.recovery_codes ?? []].flat())
        this.#learn('second factor', secret, reveals);
    if (reveals === 'ticket') this.#learn('ticket', body.ticket, reveals);
  };

  /** The tokens of administrators: they are told service URLs. */
  administrator(token: string | null): void {
    if (token !== null) this.#administrators.add(token);
  }

  /** Routes of the contracts that nobody reached past the door. The stream of events is read apart. */
  unreached(): string[] {
    const refused = [401, 403, 405];
    const reached = new Set(
      this.#exchanges
        .filter(({ answer }) => !refused.includes(answer.status))
        .map((exchange) => routeOf(exchange)?.name),
    );
    return routes.map(({ name }) => name).filter((name) => name !== 'GET /api/events' && !reached.has(name));
  }

  materials(): Material[] {
    return this.#exchanges.map((exchange) => {
      const { method, url, answer, token } = exchange;
      const route = routeOf(exchange);
      const reveals = answer.status < 300 ? route?.metadata?.reveals : undefined;
      const isToldUrls = token !== null && this.#administrators.has(token);
      return {
        channel: channelOf(url.pathname),
        place: `${method} ${route?.path ?? url.pathname}: ${answer.status}`,
        content: Buffer.concat([Buffer.from(`${JSON.stringify(answer.headers)}\n`), answer.bytes]),
        mayHold: ({ kind }) => {
          if (reveals === 'recovery_sheet') return onSheets.has(kind);
          if (reveals === 'stored_secrets') return isToldUrls && inFiles.has(kind);
          if (kind === 'second_factor' && answer.status === 401)
            return answer.body.second_factor !== undefined;
          return kind === reveals && (kind !== 'service_url' || isToldUrls);
        },
      };
    });
  }

  #learn(name: string, text: string, kind: SecretKind): void {
    this.#learned += 1;
    this.book.keep(`${name} ${this.#learned}`, text, kind);
  }
}

function channelOf(path: string): Channel {
  if (path === '/metrics') return 'metrics';
  if (path === '/api/events') return 'events';
  return /\/logs(\/|$)/.test(path) ? 'job logs' : 'answers';
}
