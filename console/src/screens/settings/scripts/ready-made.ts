/** Scripts to begin with. Names in `${…}` become parameters; variables of the service are written without braces. */
export const readyMade = {
  stopContainers: `#!/usr/bin/env bash
# Before the backup: stops containers, so that their files do not change meanwhile.
set -eu
for container in \${CONTAINERS}; do
  docker stop --time "\${STOP_SECONDS:-30}" "$container"
done
`,
  startContainers: `#!/usr/bin/env bash
# After the backup: starts the containers again. One that fails does not keep the others from starting.
failed=0
for container in \${CONTAINERS}; do
  docker start "$container" || failed=1
done
exit "$failed"
`,
  pgDump: `#!/usr/bin/env bash
# Before the backup: writes a dump of a PostgreSQL database into a folder that is backed up.
# Not compressed: borg compresses it, and stores only what has changed.
set -eu
umask 077
export PGPASSWORD="\${PG_PASSWORD:-}"
[ -n "$PGPASSWORD" ] || unset PGPASSWORD
folder="\${DUMP_FOLDER:-/var/backups/postgres}"
file="$folder/\${PG_DATABASE}.dump"
mkdir -p "$folder"
pg_dump --no-password --host="\${PG_HOST:-localhost}" --port="\${PG_PORT:-5432}" --username="\${PG_USER:-postgres}" \\
  --format=custom --compress=0 --file="$file.part" "\${PG_DATABASE}"
mv "$file.part" "$file"
`,
  mysqlDump: `#!/usr/bin/env bash
# Before the backup: writes a dump of a MySQL or MariaDB database into a folder that is backed up.
set -eu
umask 077
export MYSQL_PWD="\${MYSQL_PASSWORD:-}"
folder="\${DUMP_FOLDER:-/var/backups/mysql}"
file="$folder/\${MYSQL_DATABASE}.sql"
mkdir -p "$folder"
mysqldump --host="\${MYSQL_HOST:-localhost}" --port="\${MYSQL_PORT:-3306}" --user="\${MYSQL_USER:-root}" \\
  --single-transaction --routines --events --skip-dump-date --result-file="$file.part" "\${MYSQL_DATABASE}"
mv "$file.part" "$file"
`,
  sqlite: `#!/usr/bin/env bash
# Before the backup: copies an SQLite database while programs go on using it.
set -eu
umask 077
folder="\${COPY_FOLDER:-/var/backups/sqlite}"
copy="$folder/$(basename "\${SQLITE_FILE}")"
mkdir -p "$folder"
sqlite3 -cmd '.timeout 30000' "\${SQLITE_FILE}" ".backup '$copy.part'"
mv "$copy.part" "$copy"
`,
  mount: `#!/usr/bin/env bash
# Before the backup: mounts a disk that is named in /etc/fstab, unless it is there already.
set -eu
mountpoint --quiet "\${MOUNT_POINT}" || mount "\${MOUNT_POINT}"
`,
  unmount: `#!/usr/bin/env bash
# After the backup: unmounts the disk, so that it can be taken away.
set -eu
sync
if mountpoint --quiet "\${MOUNT_POINT}"; then
  umount "\${MOUNT_POINT}"
fi
`,
  ping: `#!/usr/bin/env bash
# After the backup: calls an address, such as a check of healthchecks.io. After a failure, the one with /fail.
set -eu
url="\${PING_URL}"
if [ "$BK_UI_BACKUP_STATUS" = failure ]; then
  url="$url/fail"
fi
curl --fail --silent --show-error --max-time 20 --retry 3 --output /dev/null "$url"
`,
} as const;

export type ReadyMade = keyof typeof readyMade;
export const readyMadeNames = Object.keys(readyMade) as ReadyMade[];
