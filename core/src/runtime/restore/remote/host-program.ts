/**
 * The one program that a restore runs on another host, for a POSIX shell with GNU find and GNU tar. It is fixed:
 * paths come as words or lines in which all but letters, digits and `_./-` is written `\0ooo`. Its first word says
 * what to do; `placing` and `taking back` go on when the connection is lost, and may be repeated from any point.
 */
export const hostProgram = String.raw`
LC_ALL=C; export LC_ALL; umask 077
say() { printf '%s\n' "$1" 2>/dev/null || :; }
die() { say "$1"; exit 3; }
plain() { case $1 in *\\*) v=$(printf '%bx' "$1"); v=${'$'}{v%x};; *) v=$1;; esac; }
there() { [ -e "$1" ] || [ -L "$1" ]; }
folder() { [ -d "$1" ] && [ ! -L "$1" ]; }
same() { [ "$(find "$1" -maxdepth 0 -printf '%D:%i')" = "$(find "$2" -maxdepth 0 -printf '%D:%i')" ]; }
carry() {
  e=$(mv -T -- "$1" "$2" 2>&1) && return 0
  folder "$1" && there "$1" && ! there "$2" || return 1
  m=$(find "$1" -maxdepth 0 -printf %m) && chmod u+rwx "$1" && mv -T -- "$1" "$2" && chmod "$m" "$2"
}
near() {
  d=${'$'}{1%/*}/
  [ "$d" = "$known" ] && return 0
  if [ "$(findmnt -n -o TARGET -T "$d" 2>/dev/null)" != "$(findmnt -n -o TARGET -T "$f" 2>/dev/null)" ]; then
    e="$1 lies on another mount: restore what lies on each by itself."; return 1
  fi
  known=$d
}
place() {
  there "$3" || return 0
  near "$4" || return 1
  [ -w "${'$'}{3%/*}" ] || chmod u+rwx "${'$'}{3%/*}" 2>/dev/null
  if there "$4"; then
    if same "$3" "$4"; then rm -f -- "$3"; return; fi
    if [ "$2" = 0 ] || folder "$4" || there "$f/aside/$1"; then
      e="$4 came into being while the files were extracted; nothing was overwritten."; return 1
    fi
    e=$(mv -T -- "$4" "$f/aside/$1" 2>&1) || return 1
  fi
  if folder "$3"; then carry "$3" "$4"; return; fi
  if e=$(ln -P -T -- "$3" "$4" 2>&1); then rm -f -- "$3"; return; fi
  if there "$4"; then e="$4 came into being while the files were moved there."; return 1; fi
  e=$(mv -T -- "$3" "$4" 2>&1)
}
back() {
  if there "$2" && there "$3"; then same "$2" "$3" && rm -f -- "$3"
  elif there "$3" && ! there "$2"; then carry "$3" "$2"; fi
  if there "$f/aside/$1"; then mv -T -- "$f/aside/$1" "$3"; fi
}
forward() {
  while IFS=' ' read -r verb n replace from to; do
    case $verb in
      make) plain "$n"; folder "$v" || e=$(mkdir -m 755 -- "$v" 2>&1) || return 1;;
      move) plain "$from"; from=$v; plain "$to"; place "$n" "$replace" "$f/tree/$from" "$v" || return 1;;
    esac
  done < "$f/journal"
}
backward() {
  while IFS=' ' read -r verb n replace from to; do
    case $verb in
      move) plain "$from"; from=$v; plain "$to"; back "$n" "$f/tree/$from" "$v" || bad=1;;
      unmake) plain "$n"; rmdir -- "$v" 2>/dev/null;;
    esac
  done < "$f/journal"
  [ -z "$bad" ]
}
alive() {
  [ -n "$1" ] && kill -0 "$1" 2>/dev/null || return 1
  [ ! -r "/proc/$1/cmdline" ] || grep -qF holdfast-restore "/proc/$1/cmdline"
}
alone() {
  i=0
  until mkdir "$f/lock" 2>/dev/null; do
    p=$(cat "$f/lock/pid" 2>/dev/null)
    if [ -n "$p" ] || [ "$i" -gt 5 ]; then alive "$p" || { rm -rf "$f/lock"; continue; }; fi
    i=$((i + 1)); [ "$i" -lt 600 ] || die 'busy'
    sleep 1
  done
  echo $$ > "$f/lock/pid"
}
settle() { printf '%s\n' "$1" > "$f/result.new" && sync && mv -T -- "$f/result.new" "$f/result"; say "$1"; rm -rf "$f/lock"; }
answer() { printf 'E%s %s\0' "$1" "$2"; }
look() {
  while IFS= read -r line; do
    plain "${'$'}{line#??}"
    case $line in
      'd '*) e=$(find "$v" -maxdepth 1 -printf '%y %D %i %C@ %s %m %f\0' 2>&1 >&3); answer $? "$e";;
      'p '*) e=$(find "$v" -maxdepth 0 -printf '%y %D %i %C@ %s %m %f\0' 2>&1 >&3); answer $? "$e";;
      'w '*) [ -w "$v" ] && [ -x "$v" ]; answer $? '';;
      'f '*) answer 0 "$(df -P -k -- "$v" 2>/dev/null | tail -n 1)";;
      'i '*) answer 0 "$(id -u; pwd; cat /proc/sys/kernel/random/boot_id 2>/dev/null || echo; tar --version 2>&1 | head -n 1; find --version 2>&1 | head -n 1; mv --version 2>&1 | head -n 1)";;
    esac
  done
}
do=$1
if [ "$do" = look ]; then exec 3>&1; look; exit 0; fi
plain "$2"; f=$v
case $f in */.holdfast-restore-*) ;; *) die 'not a working folder';; esac
case $do in
  receive)
    mkdir -- "$f/tree" "$f/aside" || die 'the working folder is gone'
    exec tar -x -f - -C "$f/tree" -p --xattrs --xattrs-include='*' --acls --delay-directory-restore;;
  make) mkdir -- "$f" || exit 4;;
  list) find "$f/tree" -mindepth 1 -printf '%y %s %P\0';;
  journal)
    cat > "$f/journal.new" || exit 3
    [ "$(tail -n 1 "$f/journal.new")" = end ] || die 'the journal did not arrive whole'
    sync; mv -T -- "$f/journal.new" "$f/journal";;
  commit)
    folder "$f" || { say gone; exit 0; }
    trap '' HUP INT TERM PIPE
    alone
    if [ -f "$f/result" ]; then rm -rf "$f/lock"; cat "$f/result"; exit 0; fi
    e=; bad=; known=
    if forward; then settle done; exit 0; fi
    why=$e
    if backward; then settle "undone $why"; else settle "torn $why"; fi;;
  undo)
    [ -f "$f/journal" ] || exit 0
    trap '' HUP INT TERM PIPE
    alone
    case $(cat "$f/result" 2>/dev/null) in undone*) rm -rf "$f/lock"; exit 0;; esac
    bad=; if backward; then settle undone; else settle torn; fi;;
  remove)
    i=0
    while there "$f" && [ "$i" -lt 10 ]; do
      rm -rf -- "$f" 2>/dev/null && ! there "$f" && exit 0
      find "$f" -type d ! -perm -700 -exec chmod u+rwx {} + 2>/dev/null
      rm -rf -- "$f" 2>/dev/null || sleep 1
      i=$((i + 1))
    done
    ! there "$f" || die 'the working folder could not be removed';;
  *) die 'unknown';;
esac
`;

/** A path as the program takes it. */
export const hostWord = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return /[\w./-]/.test(character) ? character : `\\0${byte.toString(8).padStart(3, '0')}`;
  }).join('');
