import type { Answer, Api } from './api.js';
import { adminPassword } from './server.js';

interface SignIn {
  username?: string;
  password?: string;
  remember?: boolean;
  /** Of the sign-in, such as what a proxy adds. */
  headers?: Record<string, string>;
}

/** Signs in as a page of the service does, and keeps the cookie. */
export class Browser {
  cookie = '';

  private constructor(
    readonly api: Api,
    readonly opened: Answer,
  ) {
    this.#keep(opened);
  }

  static async signIn(api: Api, { headers = {}, ...given }: SignIn = {}): Promise<Browser> {
    const credentials = { username: 'admin', password: adminPassword, remember: true, ...given };
    const opened = await api.post('/api/auth/session', credentials, { headers });
    if (opened.status !== 200) throw new Error(`the sign-in answered ${opened.status} ${opened.text}`);
    return new Browser(api, opened);
  }

  /** The refresh token. */
  get secret(): string {
    return this.cookie.split('=')[1] ?? '';
  }

  get page(): Api {
    return this.api.as(this.opened.body.access_token);
  }

  /** What a page of the service sends; a header that is null is left out. */
  headers(others: Record<string, string | null> = {}, api = this.api): Record<string, string> {
    const { origin } = new URL(api.baseUrl);
    const all = { cookie: this.cookie, origin, 'x-holdfast-session': '1', ...others };
    return Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
    );
  }

  /** At another instance, or as another page. */
  async refresh({
    api = this.api,
    headers = {},
  }: {
    api?: Api;
    headers?: Record<string, string | null>;
  } = {}) {
    const answer = await api.post('/api/auth/session/refresh', undefined, {
      headers: this.headers(headers, api),
    });
    this.#keep(answer);
    return answer;
  }

  signOut(headers: Record<string, string | null> = {}): Promise<Answer> {
    return this.api.request('DELETE', '/api/auth/session', { headers: this.headers(headers) });
  }

  #keep({ headers }: Answer): void {
    const [pair] = headers['set-cookie']?.split(';') ?? [];
    if (pair?.split('=')[1]) this.cookie = pair;
  }
}
