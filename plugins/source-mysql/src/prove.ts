import { type Proof, type ProofContext, type StoredDump, withTail } from '@holdfast/plugin-api/source';

/** A server with its data and its socket in `$1`, without network, that is gone at the end. 3: this machine can't tell. */
const script = `
set -eu
folder=$1
PATH=$PATH:/usr/sbin:/usr/libexec
server=$(command -v mariadbd || command -v mysqld) || { echo 'This machine has no MariaDB server to try it with: install the package mariadb-server' >&2; exit 3; }
client=$(command -v mariadb || command -v mysql)
user=$(id -un)
if [ "$(id -u)" = 0 ]; then
  user=mysql; id "$user" >/dev/null 2>&1 || user=nobody
  chown "$user" "$folder"
fi
options="--no-defaults --datadir=$folder/data --user=$user"
if command -v mariadb-install-db >/dev/null; then
  mariadb-install-db $options --auth-root-authentication-method=normal --skip-test-db
else
  "$server" $options --initialize-insecure
fi >"$folder/said" 2>&1 </dev/null || { cat "$folder/said" >&2; exit 3; }
"$server" $options --skip-networking --socket="$folder/socket" --pid-file="$folder/pid" \\
  --log-error="$folder/log" --skip-log-bin --event-scheduler=OFF </dev/null >/dev/null 2>&1 &
pid=$!
end() { kill -9 "$pid" 2>/dev/null || :; wait "$pid" 2>/dev/null || :; }
trap end EXIT
ask() { "$client" --no-defaults --socket="$folder/socket" --user=root --batch --skip-column-names "$@"; }
tries=0
until ask -e 'SELECT 1' >/dev/null 2>&1 </dev/null; do
  kill -0 "$pid" 2>/dev/null && [ "$tries" -lt 600 ] || { tail -n 3 "$folder/log" >&2; exit 3; }
  tries=$((tries + 1)); sleep 0.1
done
ask -e 'CREATE DATABASE proof' </dev/null
ask --default-character-set=utf8mb4 proof
ask proof -e "SELECT concat('SELECT count(*) FROM \\\`', replace(table_name, '\\\`', '\\\`\\\`'), '\\\`;')
  FROM information_schema.tables WHERE table_schema = 'proof' AND table_type = 'BASE TABLE'" </dev/null >"$folder/questions"
ask --raw proof <"$folder/questions"
`;

/** Throws an Error when this machine can't try the dump. */
export async function prove(
  dump: StoredDump,
  endMark: string,
  { host, folder }: ProofContext,
): Promise<Proof> {
  const { input, tail } = withTail(dump);
  const { code, stdout, stderr } = await host.run({ argv: ['sh', '-c', script, 'sh', folder], input });
  const said = stderr.trim().split('\n').slice(-2).join(' ').slice(0, 300);
  if (code === 3) throw new Error(`The dump was not tried: ${said || 'the server did not start'}.`);
  if (code !== 0) return { passed: false, text: `It could not be restored: ${said}` };
  if (!tail().includes(endMark))
    return { passed: false, text: 'The dump ends early: its end mark is missing.' };
  const counts = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return { passed: true, text: 'Restored.', tables: counts.length, rows };
}
