import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The readme and all pages of docs, without `.md`. */
export const allPages = (): string[] => [
  'README',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.slice(0, -3)}`)
    .sort(),
];

const pageText = (page: string): string => readFileSync(join(root, `${page}.md`), 'utf8');

/** What a reader pastes into a shell: the blocks of a page, or of one of its sections. */
export function blocksOf(page: string, section = ''): string[] {
  const text = pageText(page);
  const begin = section ? text.indexOf(`\n## ${section}\n`) : 0;
  const end = section ? text.indexOf('\n## ', begin + 1) : text.length;
  const blocks = text.slice(begin, end).matchAll(/^ *```(?:sh|bash|console)\n(.*?)^ *```$/gms);
  return [...blocks].map(([, block = '']) => block);
}

/** Pages whose blocks `documented-examples.test.ts` pastes, all and in order, but for those of `elsewhere`. */
export const pasted = [
  'docs/developers/api',
  'docs/guides/schedules',
  'docs/guides/sources',
  'docs/guides/notifications',
  'docs/guides/restore',
  'docs/guides/verify',
  'docs/admin/monitoring',
  'docs/admin/users-and-security',
];

const docker = 'Docker Compose: test/src/journeys/deployment.test.ts reads its files';
const mariadb = 'a MariaDB server: test/src/journeys/storage-move.test.ts moves to another added storage';
const writes = 'it changes the checkout: server/test/openapi-compatibility.test.ts tests the comparison';
const registry =
  'a registry with the packages: test/src/journeys/published.long.test.ts installs packed ones';
const systemd = 'systemd as root: test/src/journeys/deployment.test.ts reads its unit';

/**
 * Other blocks: a page, a text of the block, and the test that runs its commands or, for what no test can run, the
 * reason.
 */
export const elsewhere: readonly (readonly [page: string, text: string, by: string])[] = [
  ['README', 'docker compose up', docker],
  ['docs/admin/command-line', 'holdfast status', 'test/src/journeys/daily-commands.test.ts'],
  ['docs/admin/command-line', 'holdfast recovery-sheet', 'test/src/journeys/recovery-sheet.test.ts'],
  ['docs/admin/command-line', 'holdfast user reset-password', 'test/src/journeys/command-line.test.ts'],
  ['docs/admin/command-line', 'holdfast user reset-factor', 'test/src/journeys/second-factor.test.ts'],
  ['docs/admin/command-line', 'holdfast audit verify', 'test/src/gates/audit-chain.test.ts'],
  ['docs/admin/command-line', 'holdfast plugins check', 'test/src/journeys/plugins-check.test.ts'],
  ['README', 'npm start', 'test/src/bootstrap.test.ts'],
  ['docs/admin/command-line', 'holdfast storage copy', 'test/src/recovery-of.ts'],
  ['docs/admin/command-line', 'holdfast recover ', 'test/src/journeys/recovery.test.ts'],
  ['docs/admin/command-line', 'TARGET_DATABASE_URL', 'test/src/journeys/storage-move.test.ts'],
  ['docs/admin/command-line', '--to mariadb', mariadb],
  ['docs/admin/command-line', 'holdfast export', 'test/src/journeys/settings-file.test.ts'],
  ['docs/admin/scaling', 'docker compose up', docker],
  ['docs/admin/scaling', 'createdb', 'the administrator of a PostgreSQL server'],
  ['docs/admin/scaling', '$api/settings/cache', 'test/src/journeys/browse.test.ts'],
  ['docs/admin/upgrade', 'holdfast storage copy', 'test/src/journeys/upgrading.test.ts'],
  ['docs/admin/upgrade', 'holdfast doctor', 'test/src/journeys/upgrading.test.ts'],
  ['docs/admin/upgrade', 'holdfast.db', 'test/src/journeys/upgrading.test.ts'],
  ['docs/admin/upgrade', 'pg_restore', 'test/src/journeys/upgrading.test.ts'],
  ['docs/admin/users-and-security', '$api/auth/login', 'test/src/journeys/second-factor.test.ts'],
  ['docs/admin/users-and-security', 'OIDC_ISSUER=', 'test/src/journeys/sign-in-providers.test.ts'],
  ['docs/admin/users-and-security', 'SIGN_IN_HEADER_USER=', 'test/src/journeys/sign-in-providers.test.ts'],
  ['docs/admin/users-and-security', 'SIGN_IN_GROUPS=', 'test/src/journeys/sign-in-providers.test.ts'],
  ['docs/developers/api', 'npm start', 'test/src/journeys/documented-examples.test.ts'],
  ['docs/developers/api', 'npx openapi-typescript', 'test/src/journeys/clients.long.test.ts'],
  ['docs/developers/api', 'openapi-python-client', 'test/src/journeys/clients.long.test.ts'],
  ['docs/developers/api', 'npm run openapi', writes],
  ['docs/developers/plugins', 'npm install --prefix', registry],
  ['docs/developers/plugins', 'PLUGINS=', 'test/src/journeys/plugins-added.test.ts'],
  ['docs/developers/plugins', 'npm pack', 'test/src/journeys/published.long.test.ts'],
  ['docs/guides/databases', '$api/sources/check', 'test/src/journeys/containers.test.ts'],
  ['docs/guides/lost-server', 'borg list', 'test/src/journeys/when-gone-documented.test.ts'],
  ['docs/guides/lost-server', 'borg extract', 'test/src/journeys/when-gone-documented.test.ts'],
  ['docs/guides/lost-server', 'holdfast recover ', 'test/src/journeys/when-gone-documented.test.ts'],
  ['docs/guides/lost-server', 'holdfast doctor', 'test/src/journeys/when-gone-documented.test.ts'],
  ['docs/guides/lost-server', '$api/recovery-sheet?', 'test/src/journeys/recovery-sheet.test.ts'],
  ['docs/guides/lost-server', 'age -d', 'test/src/journeys/recovery-sheet.test.ts'],
  [
    'docs/guides/sources',
    'setfacl',
    'root and a user of the service: test/src/journeys/unread-sources.test.ts',
  ],
  ['docs/guides/sources', 'source_connection_id', 'test/src/journeys/ssh-sudo.test.ts'],
  ['docs/guides/storage', '$api/ssh-keys/quick-setup', 'test/src/journeys/ssh-keys.test.ts'],
  ['docs/start/import', 'holdfast import borgmatic', 'test/src/journeys/borgmatic.test.ts'],
  ['docs/start/import', 'holdfast export --output', 'test/src/journeys/settings-file.test.ts'],
  ['docs/start/import', 'holdfast export borgmatic', 'test/src/journeys/borgmatic.test.ts'],
  ['docs/start/install', 'docker compose', docker],
  ['docs/start/install', 'apt install', systemd],
  ['docs/start/install', 'npm prune', systemd],
  ['docs/start/install', 'systemctl', systemd],
  ['docs/start/install', 'systemd-run', systemd],
  ['docs/start/install', 'npm start', 'test/src/bootstrap.test.ts'],
  ['docs/start/install', 'npx holdfast', registry],
  ['docs/start/install', 'ssh -L', 'another machine'],
];
