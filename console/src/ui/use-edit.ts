import { useLayoutEffect, useState } from 'preact/hooks';
import { isError } from '../api/query-client.js';
import { changesOf, conflictsOf, rebase, type Values } from './merge.rules.js';
import { useAction } from './use-action.js';

interface Tagged<T> {
  values: T;
  etag: string | undefined;
}

interface EditOptions<T> {
  /** As last read. While nothing is changed here, the form follows it. */
  loaded: Tagged<T>;
  /** Writes only what was changed, if nothing has changed since the tag. */
  save: (changes: Partial<T>, etag: string | undefined) => Promise<unknown>;
  /** Refetches it after another user has changed it. */
  reload: () => Promise<Tagged<T>>;
}

export interface Conflict {
  field: string;
  mine: unknown;
  theirs: unknown;
}

/** A form that never overwrites changes of another user without showing both values. */
export function useEdit<T extends Values>({ loaded, save, reload }: EditOptions<T>) {
  const [base, setBase] = useState(loaded);
  const [draft, setDraft] = useState(loaded.values);
  const [conflicts, setConflicts] = useState<Conflict[]>([]);
  const changes = changesOf(base.values, draft);
  const isDirty = Object.keys(changes).length > 0;
  useLayoutEffect(() => {
    if (isDirty) return;
    setBase(loaded);
    setDraft(loaded.values);
  }, [loaded.etag]);
  /** @param sent - what the person changed since it was sent stays */
  const begin = (tagged: Tagged<T>, sent?: T) => {
    setBase(tagged);
    setDraft((now) => (sent ? rebase(sent, now, tagged.values) : tagged.values));
    setConflicts([]);
  };
  const { run, isBusy, error } = useAction(async () => {
    let sent = draft;
    try {
      await save(changes, base.etag);
    } catch (reason) {
      if (!isError(reason, 412)) throw reason;
      const fresh = await reload();
      const fields = conflictsOf(base.values, draft, fresh.values);
      const mine = rebase(base.values, draft, fresh.values);
      setBase(fresh);
      setDraft((now) => rebase(draft, now, mine));
      setConflicts(fields.map((field) => ({ field, mine: draft[field], theirs: fresh.values[field] })));
      if (fields.length > 0) throw reason;
      sent = mine;
      await save(changesOf(fresh.values, mine), fresh.etag);
    }
    begin(await reload(), sent);
  });
  return {
    draft,
    isDirty,
    isBusy,
    error,
    conflicts,
    set: <K extends keyof T>(field: K, value: T[K]) => setDraft((now) => ({ ...now, [field]: value })),
    save: run,
    discard: () => begin(base),
  };
}
