import { type Proof, type ProofContext, type StoredDump, withTail } from '@holdfast/plugin-api/source';
import { globalsEnd, globalsName } from './client.js';

/**
 * A server with its data and its socket in `$1`, without network, that is gone at the end. `$2` is what the dump holds.
 * Exit code 3: this machine can't tell.
 */
const script = `
set -eu
folder=$1
for programs in $(ls -d /usr/lib/postgresql/*/bin /usr/pgsql-*/bin 2>/dev/null | sort -rV) "$(dirname "$(command -v initdb || echo /none/x)")"; do
  [ -x "$programs/initdb" ] && break
done
[ -x "$programs/initdb" ] || { echo 'This machine has no PostgreSQL server to try it with: install the package postgresql' >&2; exit 3; }
user=$(id -un)
as() { "$@"; }
if [ "$(id -u)" = 0 ]; then
  user=postgres; id "$user" >/dev/null 2>&1 || user=nobody
  chown "$user" "$folder"
  as() { runuser -u "$user" -- "$@"; }
fi
cd "$folder"
as "$programs/initdb" -D "$folder/data" -U postgres -A trust --no-sync >"$folder/initdb" 2>&1 || { cat "$folder/initdb" >&2; exit 3; }
end() { as "$programs/pg_ctl" -D "$folder/data" -m immediate -s stop >/dev/null 2>&1 || :; }
trap end EXIT
as "$programs/pg_ctl" -D "$folder/data" -s -w -l "$folder/log" -o "-c listen_addresses='' -c fsync=off -c unix_socket_directories='$folder'" start </dev/null >/dev/null || { cat "$folder/log" >&2; exit 3; }
export PGHOST="$folder" PGUSER=postgres PGDATABASE=postgres
if [ "$2" = globals ]; then
  "$programs/psql" -Xq >/dev/null 2>&1
  "$programs/psql" -XAtqc 'SELECT count(*) FROM pg_roles WHERE oid > 16383'
  exit
fi
"$programs/createdb" -T template0 proof
"$programs/pg_restore" --no-owner --no-privileges --exit-on-error -d proof 2>"$folder/said" || {
  code=1; grep -q 'extension .* is not available' "$folder/said" && code=3
  cat "$folder/said" >&2; exit "$code"
}
PGDATABASE=proof "$programs/psql" -XAtq <<'SQL'
SELECT format('SELECT count(*) FROM %I.%I', schemaname, tablename) FROM pg_tables
  WHERE schemaname NOT IN ('pg_catalog', 'information_schema') \\gexec
SQL
`;

/** Throws an Error when this machine can't try the dump. */
export async function prove(dump: StoredDump, { host, folder }: ProofContext): Promise<Proof> {
  const { input, tail } = withTail(dump);
  const what = dump.name === globalsName ? 'globals' : 'database';
  const command = { argv: ['sh', '-c', script, 'sh', folder, what], input };
  const { code, stdout, stderr } = await host.run(command);
  const said = stderr.trim().split('\n').slice(-2).join(' ').slice(0, 300);
  if (code === 3) throw new Error(`The dump was not tried: ${said || 'the server did not start'}.`);
  if (code !== 0) return { passed: false, text: `It could not be restored: ${said}` };
  if (what === 'globals' && !tail().includes(globalsEnd))
    return { passed: false, text: 'The dump ends early: its end mark is missing.' };
  const counts = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);
  if (what === 'globals')
    return { passed: true, text: `Restored into a server of its own: ${counts[0]} roles.` };
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return { passed: true, text: 'Restored.', tables: counts.length, rows };
}
