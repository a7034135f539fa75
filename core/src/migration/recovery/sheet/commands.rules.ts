import { shellWord } from '../../../foundation/kernel/index.js';
import { keyLines } from './armour.rules.js';
import {
  hasKey,
  type SheetFacts,
  type SheetHop,
  type SheetHost,
  type SheetRepository,
} from './sheet.rules.js';
import { shellLines } from './shell-word.rules.js';

/** Where all commands of the sheet run. */
const folder = '~/restored';
export const openFolder = [`mkdir -p ${folder} && cd ${folder}`, 'umask 077'];

const keyFile = ({ id }: SheetRepository) => `key-${id}`;

/** Writes any text to a file; unchanged only if it is exactly a key. */
function written(file: string, text: string): string[] {
  const lines = keyLines(text);
  return lines
    ? [`cat > ${file} <<'END'`, ...lines, 'END']
    : shellLines("printf '%s\\n' ", text.trimEnd(), ` > ${file}`);
}

/** Borg treats a single brace as the start of a placeholder. */
const literal = (text: string) => text.replace(/[{}]/g, '$&$&');

/** Writes the key with which this service signs in on other hosts. */
export const sshKeyCommands = (text: string): string[] => written('ssh-key', text);

/** Brings the files of the newest archive back, with nothing but borg. */
export function borgCommands(repository: SheetRepository, facts: Pick<SheetFacts, 'sshKey'>): string[] {
  const { id, place, passphrase, key, host, remotePath } = repository;
  return [
    'unset BORG_PASSPHRASE BORG_PASSCOMMAND BORG_KEY_FILE BORG_RSH BORG_REMOTE_PATH',
    ...shellLines('export BORG_REPO=', literal(place)),
    // Borg still expands the location it remembers, and then asks about a relocation that never happened.
    ...(/[{}]/.test(place) ? ['export BORG_RELOCATED_REPO_ACCESS_IS_OK=yes'] : []),
    ...(passphrase === null ? [] : shellLines('export BORG_PASSPHRASE=', passphrase)),
    ...(hasKey(repository) ? [] : ['export BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK=yes']),
    ...(remotePath === null ? [] : shellLines('export BORG_REMOTE_PATH=', shellWord(literal(remotePath)))),
    ...(host ? sshCommands(repository, host, facts) : []),
    ...(key === null ? [] : keyCommands(repository, key)),
    'borg list',
    "ARCHIVE=$(borg list --short --last 1 | sed 's/[{}]/&&/g')",
    'borg extract --dry-run --list "::$ARCHIVE"',
    `mkdir -p files-${id} && cd files-${id} && borg extract "::$ARCHIVE"; cd ${folder}`,
  ];
}

function sshCommands({ id }: SheetRepository, host: SheetHost, { sshKey }: Pick<SheetFacts, 'sshKey'>) {
  const known = `known-hosts-${id}`;
  const signIn = sshKey?.text ? ` -i '$PWD/ssh-key' -o IdentitiesOnly=yes` : '';
  return [
    `export BORG_RSH="ssh${signIn}"`,
    ...(host.hostKey === null
      ? []
      : [
          ...shellLines("printf '%s\\n' ", knownHost(host), ` > ${known}`),
          // ssh treats a space in the value as the start of another file name.
          `BORG_RSH="$BORG_RSH -o 'UserKnownHostsFile=\\"$PWD/${known}\\"'"`,
        ]),
    ...(host.jumps.length > 0 ? jumpCommands(id, host.jumps, sshKey?.text != null) : []),
  ];
}

const knownHost = ({ name, port, hostKey }: SheetHop) =>
  `${port === 22 ? name : `[${name}]:${port}`} ${hostKey}`;

/** ssh signs in on the way with nothing but what its configuration says. */
function jumpCommands(id: number, jumps: readonly SheetHop[], hasSshKey: boolean): string[] {
  const [known, config] = [`known-hosts-${id}`, `ssh-config-${id}`];
  const names = jumps.map((_, at) => `hop-${at + 1}`);
  const hops = jumps.flatMap(({ name, port, user }, at) => [
    ...[`Host ${names[at]}`, `HostName ${name}`, `Port ${port}`, `User ${user}`],
    ...(names[at + 1] ? [`ProxyJump ${names[at + 1]}`] : []),
  ]);
  return [
    ...jumps.flatMap((hop) => shellLines("printf '%s\\n' ", knownHost(hop), ` >> ${known}`)),
    `printf 'UserKnownHostsFile "%s"\\n' "$PWD/${known}" > ${config}`,
    ...(hasSshKey ? [`printf 'IdentityFile "%s"\\nIdentitiesOnly yes\\n' "$PWD/ssh-key" >> ${config}`] : []),
    ...hops.flatMap((line) => shellLines("printf '%s\\n' ", line, ` >> ${config}`)),
    `BORG_RSH="$BORG_RSH -F '$PWD/${config}' -o ProxyJump=${names[0]}"`,
  ];
}

/** Also written for a key in the repository, in case the repository has lost it. */
const keyCommands = (repository: SheetRepository, key: string): string[] => [
  ...written(keyFile(repository), key),
  repository.encryption.startsWith('keyfile')
    ? `export BORG_KEY_FILE="$PWD/${keyFile(repository)}"`
    : `# Only if Borg finds no key in the repository: borg key import :: ${keyFile(repository)}`,
];

/** Brings this service back from its self-backup. */
export function recoverCommands(
  { place, passphrase, host, remotePath }: SheetRepository,
  { sshKey }: Pick<SheetFacts, 'sshKey'>,
): string[] {
  const options = [
    ...(host && sshKey?.text ? ['--ssh-key ssh-key'] : []),
    ...(host?.fingerprint ? [`--host-key ${shellWord(host.fingerprint)}`] : []),
    ...(remotePath === null ? [] : [`--remote-path ${shellWord(remotePath)}`]),
    ...(host?.jumps ?? []).map(({ user, name, port, fingerprint }) => {
      const at = name.includes(':') ? `[${name}]` : name;
      return `--jump ${shellWord(`${user}@${at}:${port},${fingerprint}`)}`;
    }),
  ];
  return [
    'export DATA_DIR=~/holdfast',
    ...(passphrase === null ? [] : shellLines("printf '%s\\n' ", passphrase, ' |')),
    ...shellLines('holdfast recover --repository ', place, options.length > 0 ? ' \\' : ''),
    ...(options.length > 0 ? [`  ${options.join(' ')}`] : []),
  ];
}
