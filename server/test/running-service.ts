import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfiguration } from '../src/config.js';
import { type Service, startService } from '../src/service.js';

export interface RunningService {
  service: Service;
  dataDirectory: string;
  /** fetch against the service. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Ends the service and removes its data. */
  end(): Promise<void>;
}

/** The real service in this process, on a free port, with a data folder of its own. */
export async function runService(environment: Record<string, string> = {}): Promise<RunningService> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'holdfast-server-'));
  const defaults = {
    PORT: '0',
    DATA_DIR: dataDirectory,
    LOG_LEVEL: 'error',
    SHUTDOWN_GRACE_SECONDS: '1',
    NODE_ENV: 'test',
    // Tests of the sources must not need what only a build makes.
    CONSOLE: 'off',
  };
  const service = await startService(readConfiguration({ ...defaults, ...environment }), () => {});
  return {
    service,
    dataDirectory,
    call: (path, init) => fetch(`${service.url}${path}`, init),
    async end() {
      await service.stop();
      await rm(dataDirectory, { recursive: true });
    },
  };
}

/** An access token of `admin`, whose password is `password`. */
export async function logIn({ call }: RunningService, password: string): Promise<string> {
  const answer = await call('/api/auth/login', {
    method: 'POST',
    body: new URLSearchParams({ username: 'admin', password }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return access_token;
}
