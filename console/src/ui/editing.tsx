import { t } from '../i18n/messages.js';
import { announce } from './announce.js';
import { Conflicts } from './conflicts.js';
import type { Values } from './merge.rules.js';
import { useEdit } from './use-edit.js';

export interface Tagged<T> {
  data: T;
  etag: string | undefined;
}

/** `useEdit` for something that is read with its tag. @param read - how it is now, after a save or a conflict */
export function useEditing<T extends Values>(
  now: Tagged<T>,
  save: (changes: Partial<T>, etag: string | undefined) => Promise<unknown>,
  read: () => Promise<Tagged<T>>,
) {
  const edit = useEdit<T>({
    loaded: { values: now.data, etag: now.etag },
    save,
    reload: async () => {
      const { data, etag } = await read();
      return { values: data, etag };
    },
  });
  return {
    ...edit,
    change: (part: Partial<T>) => {
      for (const [field, value] of Object.entries(part)) edit.set(field, value as T[string]);
    },
    save: async () => {
      const isSaved = await edit.save();
      if (isSaved) announce(t.common.saved);
      return isSaved;
    },
  };
}

interface ConflictProps<T extends Values> {
  editing: ReturnType<typeof useEditing<T>>;
  labels: Partial<Record<keyof T, string>>;
  /** Fields whose values must not be shown in conflict messages. */
  secret?: readonly (keyof T)[];
}

/** Another user changed it first (412): shows both values of each field. */
export const Conflict = <T extends Values>({ editing, labels, secret = [] }: ConflictProps<T>) => (
  <Conflicts
    conflicts={editing.conflicts}
    draft={editing.draft}
    label={(field) => labels[field] ?? field}
    words={(value, field) => (secret.includes(field) ? '•••' : inWords(value))}
    onTake={(field, value) => editing.set(field, value as T[string])}
  />
);

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? t.common.yes : t.common.no;
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return t.common.none;
  return Array.isArray(value) ? value.map(inWords).join(', ') : String(value);
}
