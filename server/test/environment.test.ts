import { afterEach, beforeEach, expect, test } from 'vitest';
import { configurationOfProcess } from '../src/cli/environment.js';

const before = { ...process.env };
const secrets = {
  SECRET_KEY: 'a secret key of the service',
  INITIAL_ADMIN_PASSWORD: 'a password',
  DATABASE_URL: 'postgres://holdfast:password@127.0.0.1/holdfast',
  MONGODB_URI: 'mongodb://holdfast:password@127.0.0.1/holdfast',
  METRICS_TOKEN: 'a-token-of-metrics',
  KVCACHE_URL: 'redis://:password@127.0.0.1:6379/0',
  KVCACHE_PASSWORD: 'another password',
  OIDC_CLIENT_SECRET: 'a secret of a client',
  APPRISE_API_URL: 'http://user:password@127.0.0.1:8000',
  PLUGIN_NOTIFY_X_TOKEN: 'a token of a plugin',
};

beforeEach(() => Object.assign(process.env, secrets));
afterEach(() => {
  for (const name of Object.keys(secrets)) delete process.env[name];
  Object.assign(process.env, before);
});

test('removes secrets from the environment, so that no child inherits them', () => {
  const configuration = configurationOfProcess();
  expect(JSON.stringify(configuration)).toContain('another password');
  for (const [name, value] of Object.entries(secrets)) {
    expect(process.env[name]).toBeUndefined();
    expect(Object.values(process.env)).not.toContain(value);
  }
});
