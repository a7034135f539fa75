const programs = process.env.TEST_POSTGRES_PROGRAMS;

/** The command of a container with a PostgreSQL server, for `sh -c`: its data in `/data`, its socket in `/tmp`. */
export const databaseInContainer = [
  'chmod 1777 /tmp; cd /tmp; as() { runuser -u postgres -- "$@"; }; mkdir -p -m 700 /data/pg; chown postgres /data/pg',
  `[ -e /data/pg/PG_VERSION ] || as ${programs}/initdb -D /data/pg -U postgres -A trust --no-sync >/dev/null`,
  `exec runuser -u postgres -- ${programs}/postgres -D /data/pg -k /tmp -c listen_addresses=`,
].join('\n');
