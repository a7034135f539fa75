import { type Configuration, readConfiguration } from '../config.js';
import { forgetPluginVariables } from '../other-variables.js';

const secretVariables = [
  'SECRET_KEY',
  'INITIAL_ADMIN_PASSWORD',
  'DATABASE_URL',
  'MONGODB_URI',
  'HEARTBEAT_URL',
  'METRICS_TOKEN',
  'KVCACHE_URL',
  'KVCACHE_PASSWORD',
  'OIDC_CLIENT_SECRET',
  // It may contain a user name and a password.
  'APPRISE_API_URL',
];

/**
 * Reads the configuration of this process and removes secrets from the environment, so that child processes
 * don't inherit them.
 */
export function configurationOfProcess(): Configuration {
  const configuration = readConfiguration(process.env);
  for (const name of secretVariables) delete process.env[name];
  forgetPluginVariables(process.env);
  return configuration;
}
