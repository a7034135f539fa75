import type { PullArchiveInput } from '@holdfast/plugin-api/driver';
import type { Call } from '../command.js';
import { acceptsUnencrypted } from '../identity/other-repository.js';
import { literal } from '../location.js';
import { createFlags } from '../operations/create-archive.js';

/**
 * Runs the tool on the host. The first line of the input is the passphrase, which is passed on by a descriptor.
 * Everything else, in both directions, is the tool's protocol with `borg serve` here, passed through by a relay in
 * place of ssh. `$1` is whether an unencrypted repository may be used, `$2` the tool, the rest its arguments.
 */
const hostScript = `
IFS= read -r passphrase
unset BORG_PASSPHRASE BORG_PASSCOMMAND BORG_NEW_PASSPHRASE BORG_REPO BORG_REMOTE_PATH BORG_KEY_FILE
export LC_ALL=C.UTF-8 TZ=UTC BORG_EXIT_CODES=modern BORG_PASSPHRASE_FD=5 BORG_DISPLAY_PASSPHRASE=no
export BORG_RELOCATED_REPO_ACCESS_IS_OK=yes BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK="$1"
shift
export BORG_RSH="sh -c 'cat </proc/$$/fd/3 & exec cat >/proc/$$/fd/4' relay"
exec 3<&0 4>&1
printf '%s' "$passphrase" | { unset passphrase; exec "$@" 5<&0 0</dev/null 1>&2; }
`;

/** The command for the host. Its standard output is the tool's protocol, its standard error the tool's log. */
export function hostCommand({ target, options }: Pick<Call, 'target' | 'options'>, input: PullArchiveInput) {
  const wait = Math.max(0, Math.ceil(options.lockWaitSeconds ?? 1));
  return [
    ...[
      'sh',
      '-c',
      hostScript,
      'holdfast',
      acceptsUnencrypted(target) ? 'yes' : 'no',
      input.host.toolPath ?? 'borg',
      'create',
      '--log-json',
      '--progress',
    ],
    `--lock-wait=${wait}`,
    ...createFlags(input),
    '--',
    `ssh://holdfast${literal(target.location)}::${literal(input.name)}`,
    ...input.sources,
  ];
}
