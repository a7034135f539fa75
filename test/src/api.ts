import { Agent, type FormData, fetch } from 'undici';

/** A connection for each request: one that idled while a test made files may just be closed by the service. */
const dispatcher = new Agent({ pipelining: 0 });

export interface RequestOptions {
  query?: Record<string, string | number | boolean>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form. */
  form?: Record<string, string>;
  /** Sent as it stands, with `headers` of the caller. */
  body?: string | Buffer | FormData;
  headers?: Record<string, string>;
  /** Null: no token even when the caller has one. */
  token?: string | null;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
  text: string;
  /** The parsed body; undefined when it is no JSON. Tests look into it freely, and fail where it is not so. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads here is what it checks
  body: any;
}

/** A request and what came of it. */
export interface Exchange {
  method: string;
  url: URL;
  token: string | null;
  answer: Answer;
}

/** Speaks HTTP to a service, as `curl` would: no schema stands between a test and the wire. */
export class Api {
  readonly answers: Answer[] = [];

  constructor(
    readonly baseUrl: string,
    readonly token: string | null = null,
    /** Is told of every exchange, also of those of callers made by `as`. */
    readonly heard: (exchange: Exchange) => void = () => {},
  ) {}

  as(token: string | null): Api {
    return new Api(this.baseUrl, token, this.heard);
  }

  get = (path: string, query?: RequestOptions['query'], options: RequestOptions = {}) =>
    this.request('GET', path, { ...options, query });
  post = (path: string, json?: unknown, options: RequestOptions = {}) =>
    this.request('POST', path, { ...options, json });
  put = (path: string, json?: unknown) => this.request('PUT', path, { json });
  delete = (path: string, query?: RequestOptions['query']) => this.request('DELETE', path, { query });

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const url = new URL(path, this.baseUrl);
    for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, `${value}`);
    const token = options.token === undefined ? this.token : options.token;
    const headers: Record<string, string> = { ...options.headers };
    if (token !== null) headers.authorization = `Bearer ${token}`;
    const response = await fetch(url, { method, headers, body: this.#bodyOf(options, headers), dispatcher });
    const bytes = Buffer.from(await response.arrayBuffer());
    const answer = answerOf(response.status, Object.fromEntries(response.headers), bytes);
    this.answers.push(answer);
    this.heard({ method, url, token, answer });
    return answer;
  }

  #bodyOf(options: RequestOptions, headers: Record<string, string>) {
    if (options.json !== undefined) {
      headers['content-type'] ??= 'application/json';
      return JSON.stringify(options.json);
    }
    if (options.form !== undefined) return new URLSearchParams(options.form);
    return options.body;
  }
}

function answerOf(status: number, headers: Record<string, string>, bytes: Buffer): Answer {
  const text = bytes.toString('utf8');
  const isJson = headers['content-type']?.startsWith('application/json');
  return { status, headers, bytes, text, body: isJson ? JSON.parse(text) : undefined };
}
