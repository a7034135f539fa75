import type { SheetDocument, SheetPart } from '../../../foundation/ports/sheet-press.js';
import { day } from '../../../insight/monitoring/index.js';
import { borgCommands, openFolder, recoverCommands, sshKeyCommands } from './commands.rules.js';
import { hasKey, inOrder, type SheetFacts, type SheetRepository } from './sheet.rules.js';
import { type Medium, visible } from './visible.rules.js';

const masked = '(masked)';
/** Larger texts do not fit into a QR code. */
const mostCode = 2_300;

/** The sheet as it is read on a medium. */
export function sheetDocument(facts: SheetFacts, medium: Medium): SheetDocument {
  const { madeAt, version, installation, withSecrets } = facts;
  const repositories = inOrder(facts.repositories);
  const own = repositories.filter(({ isSelfBackup }) => isSelfBackup);
  const parts = [
    beginning,
    ...(facts.sshKey && repositories.some(({ host }) => host) ? [sshPart(facts.sshKey, withSecrets)] : []),
    ...repositories.map((each) => repositoryPart(each, facts)),
    ...own.map((each) => recoverPart(each, facts)),
    signingIn,
  ].map((part) => readable(part, medium));
  return {
    title: 'Recovery sheet',
    lead: [
      `Made on ${new Date(madeAt).toISOString().slice(0, 16).replace('T', ' ')} UTC by Holdfast ${version}, installation ${installation}.`,
      withSecrets
        ? 'Anyone who has this sheet can read every backup. Keep it where a fire or burglary would not take it together with the server.'
        : 'Passphrases and keys are masked: with this copy alone you cannot open an encrypted repository.',
      ...(repositories.length === 0 ? ['There is no repository yet.'] : []),
    ],
    parts,
    foot: `Holdfast ${version} · ${installation} · ${day(madeAt)}`,
  };
}

const beginning: SheetPart = {
  title: 'First',
  facts: [],
  notes: [
    'On any machine with Borg 1.2 or 1.4 (Debian: apt install borgbackup openssh-client), start in an empty folder:',
  ],
  commands: openFolder,
  code: null,
};

function sshPart(key: NonNullable<SheetFacts['sshKey']>, withSecrets: boolean): SheetPart {
  const { text, problem } = key;
  const alone = 'Use your own key or password to sign in on the hosts.';
  const notes =
    text !== null
      ? ['Holdfast uses this key to sign in on other hosts. Write it to a file first:']
      : [withSecrets ? `The key is not on this sheet: ${problem ?? 'it is not stored'}. ${alone}` : alone];
  return {
    title: 'SSH key',
    facts: [
      ['Type', key.type],
      ['Fingerprint', key.fingerprint],
    ],
    notes,
    commands: text === null ? [] : sshKeyCommands(text),
    code: text === null ? null : codeOf('SSH key', text),
  };
}

function repositoryPart(repository: SheetRepository, facts: SheetFacts): SheetPart {
  const { name, id, place, encryption, passphrase, host, problem, openError, isSelfBackup, pinned } =
    repository;
  const secret = passphrase ?? (facts.withSecrets ? '(not known)' : masked);
  return {
    title: `${isSelfBackup ? 'Backup of Holdfast itself' : `Repository ${id}`}: ${name}`,
    facts: [
      ['Location', place],
      ['Encryption', encryption],
      ...(hasKey(repository) ? ([['Passphrase', secret === '' ? '(empty)' : secret]] as const) : []),
      ...(host
        ? ([
            ['Host', `${host.name}, port ${host.port}, user ${host.user}`],
            ['Host key', host.fingerprint ?? 'not known yet'],
            ...host.jumps.map(
              (hop) =>
                [
                  'Through',
                  `${hop.name}, port ${hop.port}, user ${hop.user}, key ${hop.fingerprint}`,
                ] as const,
            ),
          ] as const)
        : []),
      ...pinned.slice(0, mostPinned).map((pin) => ['Pinned', pinnedText(pin)] as const),
    ],
    notes: [
      ...(pinned.length > mostPinned ? [`${pinned.length - mostPinned} more archives are pinned.`] : []),
      ...(problem === null ? [] : [`Not on this sheet: ${problem}`]),
      ...(openError === null ? [] : [`When Holdfast last tried, it could not open it: ${openError}`]),
      ...(facts.withSecrets && repository.key === null && hasKey(repository) && problem === null
        ? ['Holdfast does not have the key.']
        : []),
      'This restores the newest archive; for another one, set ARCHIVE to its name in the list. To restore only some files, add their paths to the end of borg extract, as the dry run shows them.',
    ],
    commands: borgCommands(repository, facts),
    code: repository.key === null ? null : codeOf(`Key of repository ${id}`, repository.key),
  };
}

const mostPinned = 20;

const pinnedText = ({ archive, reason, until }: SheetRepository['pinned'][number]): string =>
  `${archive}: ${reason}${until === null ? '' : ` (until ${until.slice(0, 10)})`}`;

const recoverPart = (repository: SheetRepository, facts: SheetFacts): SheetPart => ({
  title: 'Recover all of Holdfast',
  facts: [],
  notes: [
    'With Holdfast installed on a new server, this recovers users, repositories, schedules and history. It asks for the passphrase.',
  ],
  commands: recoverCommands(repository, facts),
  code: null,
});

const signingIn: SheetPart = {
  title: 'If you cannot sign in to Holdfast',
  facts: [],
  notes: [
    'On the server, as root or as the user that Holdfast runs as, with its environment. A local administrator needs no identity provider; these give one a new password, and remove a lost second factor:',
  ],
  commands: ['holdfast user reset-password admin --generate --activate', 'holdfast user reset-factor admin'],
  code: null,
};

const codeOf = (label: string, text: string) => (text.length > mostCode ? null : { label, text });

const remark =
  'Characters that cannot be printed clearly are written as \\u{number}; the commands have them exactly.';

function readable(part: SheetPart, medium: Medium): SheetPart {
  const facts = part.facts.map(([label, value]) => [label, visible(value, medium)] as const);
  const title = visible(part.title, medium);
  const isExact = title === part.title && facts.every(([, value], at) => value === part.facts[at]?.[1]);
  const notes = part.notes.map((note) => visible(note.replace(/\s+/g, ' ').trim(), medium));
  return { ...part, title, facts, notes: isExact ? notes : [...notes, remark] };
}

/** The sheet as plain text. */
export function sheetText({ title, lead, parts }: SheetDocument): string {
  const lines = [title, '='.repeat(title.length), '', ...lead];
  for (const { title: name, facts, notes, commands } of parts) {
    lines.push('', '', name, '-'.repeat([...name].length), '');
    for (const [label, value] of facts) lines.push(`${`${label}:`.padEnd(13)}${value}`);
    if (facts.length > 0) lines.push('');
    lines.push(...notes);
    if (commands.length > 0) lines.push('', ...commands);
  }
  return `${lines.join('\n')}\n`;
}
