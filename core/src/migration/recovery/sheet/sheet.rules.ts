/** The contents of a sheet, with secrets in plain text where shown. */
export interface SheetFacts {
  /** Milliseconds. */
  madeAt: number;
  version: string;
  installation: string;
  withSecrets: boolean;
  sshKey: { type: string; fingerprint: string; text: string | null; problem: string | null } | null;
  repositories: SheetRepository[];
}

export interface SheetRepository {
  id: number;
  uid: string;
  name: string;
  /** Its path, or its address on another host. */
  place: string;
  encryption: string;
  /** Null without encryption, without secrets, or when it could not be opened; an empty one is ''. */
  passphrase: string | null;
  /** As `borg key export` writes it; null likewise. */
  key: string | null;
  /** Why a secret that belongs on the sheet is missing; null when none is. */
  problem: string | null;
  /** Why the repository could not be opened at last; null when it could. */
  openError: string | null;
  /** Of a repository on another host. */
  host: SheetHost | null;
  remotePath: string | null;
  /** It holds the copies of this service itself. */
  isSelfBackup: boolean;
  /** Archives, the newest first. */
  pinned: { archive: string; reason: string; until: string | null }[];
}

export interface SheetHop {
  name: string;
  port: number;
  user: string;
  /** `type base64`; null until the host was reached once. */
  hostKey: string | null;
  fingerprint: string | null;
}

export interface SheetHost extends SheetHop {
  /** The hosts through which it is reached, the nearest to it first. */
  jumps: SheetHop[];
}

export const hasKey = ({ encryption }: Pick<SheetRepository, 'encryption'>): boolean => encryption !== 'none';

/** Lists the self-backup first: it is needed first after a total loss. */
export const inOrder = (repositories: readonly SheetRepository[]): SheetRepository[] =>
  [...repositories].sort((a, b) => Number(b.isSelfBackup) - Number(a.isSelfBackup) || a.id - b.id);

const hopJson = ({ name, port, user, fingerprint, hostKey }: SheetHop) => ({
  name,
  port,
  user,
  fingerprint,
  key: hostKey,
});

/** The same as data, for programs. */
export const sheetJson = (facts: SheetFacts, commandsOf: (repository: SheetRepository) => string[]) => ({
  format: 'holdfast-recovery-sheet-1',
  version: facts.version,
  made_at: new Date(facts.madeAt).toISOString(),
  installation: facts.installation,
  with_secrets: facts.withSecrets,
  ssh_key: facts.sshKey && {
    type: facts.sshKey.type,
    fingerprint: facts.sshKey.fingerprint,
    private_key: facts.sshKey.text,
    problem: facts.sshKey.problem,
  },
  repositories: inOrder(facts.repositories).map((each) => ({
    name: each.name,
    place: each.place,
    self_backup: each.isSelfBackup,
    encryption: each.encryption,
    passphrase: each.passphrase,
    key: each.key,
    problem: each.problem,
    open_error: each.openError,
    host: each.host && { ...hopJson(each.host), through: each.host.jumps.map(hopJson) },
    remote_path: each.remotePath,
    pinned: each.pinned,
    commands: commandsOf(each),
  })),
});
