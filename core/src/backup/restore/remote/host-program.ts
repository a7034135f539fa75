/**
 * The program that a restore runs on another host, for a POSIX shell with GNU find and GNU tar. Its text is fixed:
 * paths are passed as arguments or lines in which everything but letters, digits and `_./-` is written as `\0ooo`.
 * The first argument is the command. `commit` and `undo` continue when the connection is lost, and may be repeated
 * from any point.
 *
 * It enters a directory before it changes anything there, and checks that it is the intended one, so that later
 * changes of the path do not matter. Descriptor 5 is the working folder.
 */
export const hostProgram = String.raw`
LC_ALL=C; export LC_ALL; umask 077
say() { printf '%s\n' "$1" 2>/dev/null || :; }
die() { say "$1"; exit 3; }
plain() { case $1 in *\\*) v=$(printf '%bx' "$1"); v=${'$'}{v%x};; *) v=$1;; esac; }
there() { [ -e "$1" ] || [ -L "$1" ]; }
folder() { [ -d "$1" ] && [ ! -L "$1" ]; }
number() { find "$1" -maxdepth 0 -printf '%D:%i'; }
same() { [ "$(number "$1")" = "$(number "$2")" ]; }
inside() { cd -P -- "$1" 2>/dev/null && [ "$PWD" = "$2" ]; }
above() {
  d=${'$'}{1%/*}; d=${'$'}{d:-/}; n=./${'$'}{1##*/}
  [ "$d" = "$known" ] && return 0
  known=
  if inside "$d" "$d"; then known=$d; return 0; fi
  e="$d is no longer a directory, or a symlink replaced one above it: nothing was written there."
  return 1
}
enter() {
  above "$f" || return 1
  known=
  inside "$n" "$f" && [ -n "$(find . -maxdepth 0 -user "$(id -u)" -perm 700)" ] || plainly . || return 1
  exec 5<. || return 1
  w=/proc/self/fd/5; [ -d "$w/." ] || w=$f
}
ours() { enter && [ "$(head -n 1 "$w/journal")" = "folder $(number .)" ]; }
near() {
  [ "$d" = "$checked" ] && return 0
  if [ "$(findmnt -n -o TARGET -T . 2>/dev/null)" != "$mount" ]; then
    e="$1 is on another mount: restore each mount separately."; return 1
  fi
  checked=$d
}
place() {
  there "$3" || return 0
  above "$4" && near "$4" || return 1
  if there "$n"; then
    if same "$3" "$n"; then rm -f -- "$3"; return; fi
    if [ "$2" = 0 ] || folder "$n" || there "$w/aside/$1"; then
      e="$4 appeared while the files were extracted; nothing was overwritten."; return 1
    fi
    e=$(mv -T -- "$n" "$w/aside/$1" 2>&1) || { e="$4: $e"; return 1; }
  fi
  if ! folder "$3"; then
    if e=$(ln -P -T -- "$3" "$n" 2>&1); then rm -f -- "$3"; return; fi
    if there "$n"; then e="$4 appeared while the files were moved there."; return 1; fi
  fi
  e=$(mv -T -- "$3" "$n" 2>&1) || { e="$4: $e"; return 1; }
}
back() {
  if ! above "$3"; then
    there "$w/aside/$1" && return 1
    there "$2" || ! there "$d"; return
  fi
  if there "$2" && there "$n"; then same "$2" "$n" && rm -f -- "$n"
  elif there "$n" && ! there "$2"; then
    mv -T -- "$n" "$2" 2>/dev/null || { folder "$n" && chmod u+rwx "$n" && mv -T -- "$n" "$2"; }
  fi
  if there "$w/aside/$1"; then mv -T -- "$w/aside/$1" "$n"; fi
}
mode() {
  # If a directory is inaccessible again, everything in it already has its mode.
  above "$2" 2>/dev/null && [ -x "$n" ] || return 0
  known=
  inside "$n" "$2" && { e=$(chmod "$1" . 2>&1) || plainly .; } && return
  e="$2 is a different directory now: its mode was not set. $e"; return 1
}
forward() {
  while IFS=' ' read -r verb n replace from to; do
    case $verb in
      make) plain "$n"; above "$v" && { folder "$n" || e=$(mkdir -- "$n" 2>&1 && { chmod 755 -- "$n" 2>/dev/null || :; }); } || { e="$v: $e"; return 1; };;
      move) i=$n; plain "$from"; from=$v; plain "$to"; place "$i" "$replace" "$w/tree/$from" "$v" || return 1;;
      mode) i=$n; plain "$replace"; mode "$i" "$v" || return 1;;
    esac
  done < "$w/journal"
}
backward() {
  while IFS=' ' read -r verb n replace from to; do
    case $verb in
      move) i=$n; plain "$from"; from=$v; plain "$to"; back "$i" "$w/tree/$from" "$v" || bad=1;;
      unmake) plain "$n"; above "$v" && rmdir -- "$n" 2>/dev/null;;
    esac
  done < "$w/journal"
  [ -z "$bad" ]
}
alive() {
  [ -n "$1" ] && kill -0 "$1" 2>/dev/null || return 1
  [ ! -r "/proc/$1/cmdline" ] || grep -qF holdfast-restore "/proc/$1/cmdline"
}
alone() {
  i=0
  until mkdir "$w/lock" 2>/dev/null; do
    p=$(cat "$w/lock/pid" 2>/dev/null)
    if [ -n "$p" ] || [ "$i" -gt 5 ]; then alive "$p" || { rm -rf "$w/lock"; continue; }; fi
    i=$((i + 1)); [ "$i" -lt 600 ] || die 'busy'
    sleep 1
  done
  echo $$ > "$w/lock/pid"
}
settle() { printf '%s\n' "$1" > "$w/result.new" && sync && mv -T -- "$w/result.new" "$w/result"; say "$1"; rm -rf "$w/lock"; }
plainly() {
  case $(stat -f -c %T -- "$1" 2>/dev/null) in
    ext*|xfs|btrfs|tmpfs|ramfs|zfs|overlayfs|f2fs|bcachefs|jfs|reiserfs) return 1;;
  esac
}
# What the file system below a directory can't keep: tried, because its name says little.
lacks() (
  plainly "$1" && cd -P -- "$1" 2>/dev/null || exit 0
  t=./.holdfast-restore-try-$$
  mkdir -- "$t" && cd -P -- "$t" || exit 0
  touch Aa; chmod 640 Aa; m=$(stat -c %a Aa); chmod 600 Aa; [ "$m$(stat -c %a Aa)" = 640600 ] || echo modes
  o=$(id -u); [ "$o" != 0 ] || { o=12; chown 12:12 Aa; }
  [ "$(stat -c %u Aa)" = "$o" ] || echo owners
  ln -s x s && [ -L s ] || echo symlinks
  ln Aa h || echo hard_links
  [ ! -e aA ] || echo case
  touch 'a:?*' || echo names
  cd .. && rm -rf -- "$t"
) 2>/dev/null
# What user:uid:group:gid are there: lines of its lists of users and groups.
who() {
  IFS=: read -r u i g j
  getent passwd -- "$u" "$i" 2>/dev/null
  getent group -- "$g" "$j" 2>/dev/null
}
answer() { printf 'E%s %s\0' "$1" "$2"; }
look() {
  while IFS= read -r line; do
    plain "${'$'}{line#??}"
    case $line in
      'd '*) e=$(find "$v" -maxdepth 1 -printf '%y %D %i %C@ %T@ %s %m %f\0' 2>&1 >&3); answer $? "$e";;
      'p '*) e=$(find "$v" -maxdepth 0 -printf '%y %D %i %C@ %T@ %s %m %f\0' 2>&1 >&3); answer $? "$e";;
      'w '*) [ -w "$v" ] && [ -x "$v" ]; answer $? '';;
      'f '*) answer 0 "$(df -P -k -- "$v" 2>/dev/null | tail -n 1)";;
      'o '*) answer 0 "$(printf '%s\n' "$v" | who)";;
      'k '*) answer 0 "$(lacks "$v")";;
      'i '*) answer 0 "$(id -u; pwd; cat /proc/sys/kernel/random/boot_id 2>/dev/null || echo; tar --version 2>&1 | head -n 1; find --version 2>&1 | head -n 1; mv --version 2>&1 | head -n 1)";;
    esac
  done
}
do=$1
if [ "$do" = look ]; then exec 3>&1; look; exit 0; fi
plain "$2"; f=$v
case $f in */.holdfast-restore-*) ;; *) die 'not a working folder';; esac
known=; checked=; e=; bad=
strange="$f is not the working folder of this restore: nothing was done with it. Find out who created it."
case $do in
  receive)
    enter || die "$strange"
    mkdir -- ./tree ./aside || die 'the working folder is gone'
    set -- -p --xattrs --xattrs-include='*' --acls
    [ -z "$(lacks . | grep -e owners -e modes)" ] || set -- --no-same-owner --no-same-permissions
    # tar stops at its end mark; the rest of the input must be consumed as well.
    tar -x -f - -C ./tree "$@" --delay-directory-restore && cat > /dev/null;;
  make) above "$f" && mkdir -- "$n" || exit 4;;
  list) enter && find ./tree -mindepth 1 -printf '%y %s %P\0';;
  journal)
    enter || die "$strange"
    { echo "folder $(number .)" && cat; } > ./journal.new || exit 3
    [ "$(tail -n 1 ./journal.new)" = end ] || die 'the journal is incomplete'
    sync; mv -T -- ./journal.new ./journal;;
  commit)
    there "$f" || { say gone; exit 0; }
    ours || { say "torn $strange"; exit 0; }
    mount=$(findmnt -n -o TARGET -T . 2>/dev/null)
    trap '' HUP INT TERM PIPE
    alone
    if [ -f "$w/result" ]; then rm -rf "$w/lock"; cat "$w/result"; exit 0; fi
    if forward; then settle done; exit 0; fi
    why=$e
    if backward; then settle "undone $why"; else settle "torn $why"; fi;;
  undo)
    there "$f" || exit 0
    enter || { say "torn $strange"; exit 0; }
    [ -f "$w/journal" ] || exit 0
    ours || { say "torn $strange"; exit 0; }
    trap '' HUP INT TERM PIPE
    alone
    case $(cat "$w/result" 2>/dev/null) in undone*) rm -rf "$w/lock"; exit 0;; esac
    if backward; then settle undone; else settle torn; fi;;
  remove)
    there "$f" || exit 0
    enter || die "$strange"
    i=0
    until rm -rf -- ./tree ./aside ./lock ./result* ./journal* 2>/dev/null; do
      i=$((i + 1)); [ "$i" -lt 10 ] || die 'the working folder could not be removed'
      find . -type d ! -perm -700 -exec chmod u+rwx {} + 2>/dev/null || sleep 1
    done
    above "$f" && rmdir -- "$n" 2>/dev/null
    ! there "$f" || die 'the working folder could not be removed';;
  *) die 'unknown';;
esac
`;

/** Encodes a path for the program. */
export const hostArgument = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return /[\w./-]/.test(character) ? character : `\\0${byte.toString(8).padStart(3, '0')}`;
  }).join('');
