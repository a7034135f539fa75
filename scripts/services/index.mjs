import { apprise } from './apprise.mjs';
import { borg12 } from './borg-1.2.mjs';
import { borg14 } from './borg-1.4.mjs';
import { caddy } from './caddy.mjs';
import { faketime } from './faketime.mjs';
import { mariadb } from './mariadb.mjs';
import { mongodb } from './mongodb.mjs';
import { openApiPythonClient } from './openapi-python-client.mjs';
import { openssl } from './openssl.mjs';
import { postgresql } from './postgresql.mjs';
import { prometheus, promtool } from './promtool.mjs';
import { redis } from './redis.mjs';
import { sshd } from './sshd.mjs';

/**
 * The real services that the tests need. Each is found by its variable, else on this machine, else installed;
 * `prepare` resolves to `{ found, env, stop? }` or rejects with the reason, and then the run fails with its name.
 * @type {{ name: string, variable: string, prepare(): Promise<Service> }[]}
 * @typedef {{ found: string, env: Record<string, string>, stop?: () => Promise<void> }} Service
 */
export const services = [
  borg12,
  borg14,
  mongodb,
  apprise,
  openApiPythonClient,
  openssl,
  sshd,
  promtool,
  prometheus,
  caddy,
  faketime,
  redis,
  postgresql,
  mariadb,
];
