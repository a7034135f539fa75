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
import { sourcesOf } from './sources-of.mjs';
import { sshd } from './sshd.mjs';

/**
 * The real services that tests need. Each is found by its variable, else on this machine, else installed;
 * `prepare` resolves to `{ found, env, stop? }` or rejects with the reason, and then the run fails with its name.
 * `neededBy` is what the sources of such tests say; without it all need the service.
 * @type {{ name: string, neededBy?: RegExp, variable: string, prepare(): Promise<Service> }[]}
 * @typedef {{ found: string, env: Record<string, string>, stop?: () => Promise<void> }} Service
 */
const services = [
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

/** Which services every test needs that starts Holdfast, by the stores that it starts it with. */
const stores = 'test/src/store/combination.ts';
const ofStores = { postgres: postgresql, mongodb, redis };

/** What the tests in these files need, in the order in which it is prepared. */
export function servicesFor(files, { combination, isLong }) {
  const texts = sourcesOf(files, { without: [stores] });
  const named = combination.split('-').map((name) => ofStores[name]);
  return services.filter(
    (service) =>
      named.includes(service) ||
      (!service.neededBy && texts.length > 0) ||
      ((isLong || service !== borg14) && texts.some((text) => service.neededBy?.test(text))),
  );
}
