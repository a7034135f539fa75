import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../scripts/services/own-server.mjs';
import type { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

const program = fileURLToPath(new URL('oidc-provider.mjs', import.meta.url));

export type People = Record<string, Record<string, unknown>>;

/** A provider of OpenID Connect as a process of its own, on another site than the service. */
export class OidcProvider {
  private constructor(
    readonly issuer: string,
    readonly child: ChildProcess,
  ) {}

  /** `oidc-provider`, whose pages sign in anybody. */
  static async start(origin: string, people: People): Promise<OidcProvider> {
    const port = await freePort();
    return OidcProvider.#run(port, process.execPath, [program, JSON.stringify({ port, origin, people })]);
  }

  /** Another implementation, based on Authlib. */
  static async startAuthlib(people: People): Promise<OidcProvider> {
    const folder = process.env.TEST_OIDC_MOCK;
    if (!folder) throw new Error('TEST_OIDC_MOCK is not set: run the tests with `npm test`');
    const port = await freePort();
    const claims = Object.entries(people).flatMap(([sub, claim]) => [
      '--user-claims',
      JSON.stringify({ sub, ...claim }),
    ]);
    return OidcProvider.#run(port, 'python3', ['-m', 'oidc_provider_mock', '--port', `${port}`, ...claims], {
      PYTHONPATH: folder,
      PYTHONDONTWRITEBYTECODE: '1',
    });
  }

  static async #run(port: number, command: string, parameters: string[], env = {}): Promise<OidcProvider> {
    const child = spawn(command, parameters, { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
    const issuer = `http://localhost:${port}`;
    const answers = () =>
      fetch(`${issuer}/.well-known/openid-configuration`).then(
        ({ ok }) => ok || undefined,
        () => undefined,
      );
    await waitFor(answers, { what: 'an OpenID Connect provider', timeoutMs: 30_000, intervalMs: 50 });
    return new OidcProvider(issuer, child);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

/** Starts the service again, with this provider. */
export async function useProvider(
  server: TestServer,
  { issuer }: OidcProvider,
  env: Record<string, string> = {},
): Promise<void> {
  server.options.env = {
    ...server.options.env,
    PUBLIC_URL: server.api.baseUrl,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'holdfast',
    OIDC_CLIENT_SECRET: 'secret of the client',
    OIDC_LABEL: 'Example ID',
    ...env,
  };
  await server.restart();
}
