#!/bin/sh
# Entry point of the image. If started as root, it switches to the user of the image and keeps at most one
# capability, to read every file, if the container has it (`cap_add`). As any other user it changes nothing.
set -eu
[ "$(id -u)" = 0 ] || exec "$@"
export HOME=/home/holdfast
become='setpriv --reuid=10001 --regid=10001 --init-groups'
reading='--inh-caps=-all,+dac_read_search --ambient-caps=-all,+dac_read_search'
if $become $reading true 2>/dev/null; then exec $become $reading "$@"; fi
exec $become --inh-caps=-all "$@"
