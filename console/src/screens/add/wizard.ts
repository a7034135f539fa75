import { user } from '../../hub/link.js';
import { ownZone } from '../../i18n/format.js';
import { makeStore } from '../../store.js';
import { changed, type Draft, isKept, newDraft, noSecrets, noSheet, type Secrets } from './draft.rules.js';

/** The objects created so far, with the keys that make a repeated call safe. */
export interface Progress {
  keys: Record<string, string>;
  repositoryId?: number;
  scheduleId?: number;
  checks?: boolean;
  drills?: boolean;
  hasChannel?: boolean;
}

interface Kept {
  userId: number;
  draft: Draft;
  progress: Progress;
}

/*
 * The draft and the progress survive a reload in sessionStorage: only this tab has it, until it is closed. Secrets (the
 * passphrase, the address of the channel, databases) stay in memory, because browsers write sessionStorage to the disk. After a
 * reload the person types the passphrase from the sheet and saves the sheet anew: a mistyped one is on no sheet.
 */
const key = 'holdfast.add';

export const draft = makeStore<Draft>(newDraft(ownZone));
export const progress = makeStore<Progress>({ keys: {} });
export const secrets = makeStore<Secrets>(noSecrets);

/** Restores the progress of the same user; anything else starts over. */
export function takeUp(): void {
  const userId = user.get()?.id;
  if (userId === owner) return;
  owner = userId;
  const kept = stored();
  const isOwn = kept !== null && kept.userId === userId;
  const begun = isOwn ? { ...newDraft(ownZone), ...kept.draft } : newDraft(ownZone);
  secrets.set(isKept(begun) ? { ...noSecrets, isOwn: true, isForgotten: true } : noSecrets);
  draft.set({ ...begun, ...noSheet });
  progress.set(isOwn ? kept.progress : { keys: {} });
}
let owner: number | undefined;

/** Whether the user did anything since the page load. Expensive requests wait for it. */
export const hasActed = makeStore(false);
export const noteAct = (): void => hasActed.set(true);

export function changeDraft(change: Partial<Draft>): void {
  draft.set(changed(draft.get(), change));
  keep();
}

export function changeProgress(change: Partial<Progress>): void {
  progress.set({ ...progress.get(), ...change });
  keep();
}

export const changeSecrets = (change: Partial<Secrets>): void => secrets.set({ ...secrets.get(), ...change });

/** Databases and containers; a reload leaves only their names, as those of `lost`. */
export function chooseDatabases(databases: Secrets['databases'], lost: readonly string[] = []): void {
  changeSecrets({ databases });
  changeDraft({ databases: [...new Set([...databases.map(({ name }) => name), ...lost])] });
}

export function startOver(): void {
  draft.set(newDraft(ownZone));
  progress.set({ keys: {} });
  secrets.set(noSecrets);
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing is kept then.
  }
}

function keep(): void {
  const kept: Kept = { userId: owner ?? 0, draft: draft.get(), progress: progress.get() };
  try {
    sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // Storage is not available: a reload starts over.
  }
}

function stored(): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
}
