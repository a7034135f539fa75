import type { Connection } from './connection.js';
import { runScript } from './execute.js';
import { commandFailure } from './failures.js';
import { deployStep, type KeyFile } from './key-file.js';

const nothingThere = 40;

const read = `
cd || exit 41
[ -e .ssh/authorized_keys ] || exit ${nothingThere}
cat .ssh/authorized_keys`;

/** Restores the previous content if the disk is full. */
const append = `
umask 077
cd || exit 41
f=.ssh/authorized_keys
[ -d .ssh ] || { mkdir .ssh && made=yes; } || [ -d .ssh ] || exit 42
size=
[ -e "$f" ] && { size=$(wc -c < "$f") || exit 43; }
cat >> "$f" && exit 0
if [ -n "$size" ]; then dd if=/dev/null of="$f" bs=1 seek="$((size))" 2>/dev/null; else rm -f "$f"; fi
[ "$made" = yes ] && rmdir .ssh
exit 44`;

/** `$1` is the last line, without its line break. */
const cut = `
cd || exit 41
f=.ssh/authorized_keys
[ "$(tail -n 1 "$f")" = "$1" ] || exit ${nothingThere}
size=$(($(wc -c < "$f") - $(printf '%s\\n' "$1" | wc -c)))
if [ "$size" -gt 0 ]; then dd if=/dev/null of="$f" bs=1 seek="$size" 2>/dev/null; else rm -f "$f"; fi || exit 47`;

const tighten = `
cd || exit 41
case $(ls -ld .ssh) in ?????w*|????????w*) chmod 700 .ssh || exit 45;; esac
case $(ls -l .ssh/authorized_keys) in ?????w*|????????w*) chmod 600 .ssh/authorized_keys || exit 46;; esac`;

/** Uses the shell of the account, for hosts without SFTP. */
export function shellKeyFile(connection: Connection): KeyFile {
  const run = async (text: string, given: { input?: string; parameters?: string[] } = {}) => {
    const result = await runScript(connection, { step: deployStep, text, ...given });
    if (result.code === 0 || result.code === nothingThere) return result;
    throw commandFailure(deployStep, result.stderr);
  };
  return {
    async read() {
      const { code, output } = await run(read);
      return code === nothingThere ? null : output.toString();
    },
    async append(text) {
      await run(append, { input: text });
    },
    async cut(text) {
      await run(cut, { parameters: [text.trimEnd()] });
    },
    async tighten() {
      await run(tighten);
    },
  };
}
