import { type Configuration, readConfiguration } from '../config.js';
import { forgetPluginVariables } from '../other-variables.js';

const secretVariables = [
  'SECRET_KEY',
  'INITIAL_ADMIN_PASSWORD',
  'DATABASE_URL',
  'MONGODB_URI',
  'METRICS_TOKEN',
  'KVCACHE_URL',
  'KVCACHE_PASSWORD',
  // It may hold user and password.
  'APPRISE_API_URL',
];

/** The configuration of this process; its secrets are out of the environment then, which children would get. */
export function configurationOfProcess(): Configuration {
  const configuration = readConfiguration(process.env);
  for (const name of secretVariables) delete process.env[name];
  forgetPluginVariables(process.env);
  return configuration;
}
