/**
 * Sets up a mount namespace and runs its remaining arguments in it. The first ones are: an empty folder to work in,
 * an unguessable name, the folder with the tool's records, a local repository and ssh's log; the last two may be
 * empty. Its working folder is what may be written. It is bound by its handle, so moving it away in the meantime
 * cannot put another folder in its place.
 *
 * Everything is first made read-only, without devices, and then checked. Mounts that are covered or out of reach may
 * stay. `/proc` is hidden: it leads to other processes' view of the files, and to their open files.
 */
export const confineScript = String.raw`
fail() { echo "Borg cannot be confined to the folder that it extracts into: $1" >&2; exit 3; }
root=$1 cell=$1/$2 known=$3/.config/borg/security repository=$4 log=${'$'}{5%/*}; shift 5
{
  mount -t tmpfs -o mode=700,size=64k holdfast "$root" &&
  mkdir "$cell" "$cell/home" "$cell/tree" "$cell/repository" &&
  mount -t tmpfs -o mode=700 holdfast "$cell/home" &&
  mount --no-canonicalize --bind . "$cell/tree" &&
  mount --bind /dev/null /dev/null &&
  { [ -z "$repository" ] || mount --rbind "$repository" "$cell/repository"; } &&
  { [ -z "$log" ] || mount --bind "$log" "$log"; } &&
  { [ ! -d "$known" ] || {
    mkdir -p "$cell/home/.config/borg" && cp -R "$known" "$cell/home/.config/borg/" &&
    rm -f "$cell"/home/.config/borg/security/*/location; }; }
} || fail 'its folders cannot be mounted.'
mount --no-canonicalize --all -o remount,bind,ro,nodev 2>/dev/null
writable= processes=
while read -r _ _ _ _ point options rest; do
  case $writable in *"|$point|"*) writable=${'$'}{writable%%"|$point|"*}${'$'}{writable#*"|$point|"};; esac
  case ,$options, in *,ro,*nodev,*) ;; *) writable="$writable|$point|";; esac
  case $rest in *'- proc '*) processes="$processes|$point";; esac
done < /proc/self/mountinfo || fail 'the mounts cannot be read.'
IFS='|'
for point in $writable; do
  case $point in *\\134*) fail "$point cannot be made read-only.";; esac
  [ ! -e "$(printf %b "$point")" ] || fail "$point cannot be made read-only."
done
for folder in "$cell/tree" "$cell/home" ${'$'}{repository:+"$cell/repository"} ${'$'}{log:+"$log"}; do
  mount -o remount,bind,rw "$folder" || fail "$folder cannot be written."
done
mount -o remount,bind,rw,dev /dev/null || fail '/dev/null cannot be used.'
for point in $processes; do
  point=$(printf %b "$point")
  [ ! -d "$point" ] || mount -t tmpfs -o ro,nodev,size=4k holdfast "$point" || fail "$point cannot be hidden."
done
unset IFS
cd "$cell/tree" && exec "$@"
fail 'it could not be started.'
`;
