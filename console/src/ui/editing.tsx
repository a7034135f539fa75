import { useEffect, useState } from 'preact/hooks';
import { HoldfastError } from '../api/client.js';
import { t } from '../i18n/messages.js';
import { announce } from './announce.js';
import { Button } from './button.js';
import styles from './editing.module.css';
import { type Action, useAction } from './form.js';
import { Notice } from './notice.js';

export interface Tagged<T> {
  data: T;
  etag: string | undefined;
}

export interface Editing<T> {
  draft: T;
  change(part: Partial<T>): void;
  isChanged: boolean;
  /** What somebody else made of it since the person saw it; null as long as nobody did. */
  theirs: Tagged<T> | null;
  /** What it was when the person began. */
  seen: T;
  action: Action;
  save(): Promise<boolean>;
  /** Saves over what somebody else did. */
  saveMine(): Promise<boolean>;
  takeTheirs(): void;
}

/**
 * Changes of something that others may change too: only what was changed is sent, with the tag of what the person saw.
 * @param save - sends the changes; answers what it is now
 */
export function useEditing<T extends object>(
  now: Tagged<T>,
  save: (changes: Partial<T>, etag: string | undefined) => Promise<Tagged<T>>,
  readAgain: () => Promise<Tagged<T>>,
): Editing<T> {
  const [seen, setSeen] = useState(now);
  const [draft, setDraft] = useState(now.data);
  const [theirs, setTheirs] = useState<Tagged<T> | null>(null);
  const action = useAction();
  const changed = different(seen.data, draft);
  const begin = (at: Tagged<T>) => {
    setSeen(at);
    setDraft(at.data);
    setTheirs(null);
  };
  useEffect(() => {
    // What changed elsewhere is shown, unless the person has begun to change it.
    if (now.etag !== seen.etag && changed.length === 0 && !action.isBusy) begin(now);
  }, [now.etag]);
  const send = (etag: string | undefined) =>
    action.run(async () => {
      const changes = Object.fromEntries(changed.map((key) => [key, draft[key]])) as Partial<T>;
      try {
        begin(await save(changes, etag));
        announce(t.common.saved);
      } catch (error) {
        if (!(error instanceof HoldfastError && error.status === 412)) throw error;
        setTheirs(await readAgain());
      }
    });
  return {
    draft,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    isChanged: changed.length > 0,
    theirs,
    seen: seen.data,
    action,
    save: () => send(seen.etag),
    saveMine: () => send(theirs?.etag),
    takeTheirs: () => theirs && begin(theirs),
  };
}

const different = <T extends object>(one: T, other: T) =>
  (Object.keys(one) as (keyof T)[]).filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]));

interface ConflictProps<T> {
  editing: Editing<T>;
  /** What the fields are called; those without a name are not shown. */
  labels: Partial<Record<keyof T, string>>;
  /** Fields whose values nobody should see by the way. */
  secret?: readonly (keyof T)[];
}

/** Somebody changed it meanwhile (412): both values of each field, side by side. */
export function Conflict<T extends object>({ editing, labels, secret = [] }: ConflictProps<T>) {
  const { theirs, seen, draft } = editing;
  if (!theirs) return null;
  const fields = different(seen, theirs.data).filter((key) => labels[key]);
  const shown = (key: keyof T, value: unknown) => (secret.includes(key) ? '•••' : inWords(value));
  return (
    <Notice
      kind="warning"
      live
      title={t.common.changedMeanwhile}
      action={
        <>
          <Button busy={editing.action.isBusy} onClick={() => void editing.saveMine()}>
            {t.common.saveMine}
          </Button>
          <Button onClick={editing.takeTheirs}>{t.common.takeTheirs}</Button>
        </>
      }
    >
      <table class={styles.conflict}>
        <thead>
          <tr>
            <th scope="col">{t.common.fieldName}</th>
            <th scope="col">{t.common.mine}</th>
            <th scope="col">{t.common.theirs}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((key) => (
            <tr key={String(key)}>
              <th scope="row">{labels[key]}</th>
              <td>{shown(key, draft[key])}</td>
              <td>{shown(key, theirs.data[key])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Notice>
  );
}

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? t.common.yes : t.common.no;
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return t.common.none;
  return Array.isArray(value) ? value.map(inWords).join(', ') : String(value);
}
