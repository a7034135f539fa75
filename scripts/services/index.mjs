import { apprise } from './apprise.mjs';
import { borg12 } from './borg-1.2.mjs';
import { borg14 } from './borg-1.4.mjs';
import { borgmatic } from './borgmatic.mjs';
import { caddy } from './caddy.mjs';
import { chromium } from './chromium.mjs';
import { faketime } from './faketime.mjs';
import { fileSystems } from './file-systems.mjs';
import { mariadb } from './mariadb.mjs';
import { mongodb } from './mongodb.mjs';
import { mosquitto } from './mosquitto.mjs';
import { oidcMock } from './oidc-provider-mock.mjs';
import { openApiPythonClient } from './openapi-python-client.mjs';
import { openssl } from './openssl.mjs';
import { pgbouncer } from './pgbouncer.mjs';
import { podman } from './podman.mjs';
import { postgresql } from './postgresql.mjs';
import { prometheus, promtool } from './promtool.mjs';
import { redis } from './redis.mjs';
import { schemathesis } from './schemathesis.mjs';
import { sheetReaders } from './sheet-readers.mjs';
import { sourcesOf } from './sources-of.mjs';
import { sqlite } from './sqlite.mjs';
import { sshd } from './sshd.mjs';

/**
 * The real services that tests need. Each is taken from its variable, otherwise found on this machine, otherwise
 * installed. `prepare` resolves to `{ found, env, stop? }` or rejects with the reason; the run then fails with the
 * service's name. `neededBy` matches the sources of tests that need the service; without it, all do.
 * @type {{ name: string, neededBy?: RegExp, variable: string, prepare(): Promise<Service> }[]}
 * @typedef {{ found: string, env: Record<string, string>, stop?: () => Promise<void> }} Service
 */
const services = [
  borg12,
  borg14,
  mongodb,
  apprise,
  borgmatic,
  oidcMock,
  openApiPythonClient,
  schemathesis,
  openssl,
  sshd,
  fileSystems,
  promtool,
  prometheus,
  caddy,
  chromium,
  sheetReaders,
  faketime,
  redis,
  mosquitto,
  postgresql,
  pgbouncer,
  mariadb,
  podman,
  sqlite,
];

/** The services that every test needs that starts Holdfast, by the stores in its combination. */
const stores = 'test/src/store/combination.ts';
const ofStores = { postgres: postgresql, mongodb, redis };

/**
 * The services that the tests in these files need, in the order of their preparation.
 * @param {{ file: string, combination: string }[]} files
 */
export function servicesFor(files, { isDeep }) {
  const texts = sourcesOf(
    files.map(({ file }) => file),
    { without: [stores] },
  );
  const named = files.flatMap(({ combination }) => combination.split('-').map((name) => ofStores[name]));
  return services.filter(
    (service) =>
      named.includes(service) ||
      (!service.neededBy && texts.length > 0) ||
      ((isDeep || service !== borg14) && texts.some((text) => service.neededBy?.test(text))),
  );
}
