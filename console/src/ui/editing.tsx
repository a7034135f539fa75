import type { ComponentChildren } from 'preact';
import { readNow } from '../api/query-client.js';
import { t } from '../i18n/messages.js';
import { announce } from './announce.js';
import { Conflicts } from './conflicts.js';
import { fieldsOf } from './draft.js';
import { Form } from './form.js';
import type { Values } from './merge.rules.js';
import { useEdit } from './use-edit.js';

export interface Tagged<T> {
  data: T;
  etag: string | undefined;
}

interface EditingOptions<D, T extends Values> {
  tagged: Tagged<D>;
  draftOf: (data: D) => T;
  /** Reads it again, after a save or a conflict. */
  query: { queryKey: readonly unknown[]; queryFn: (given: { signal: AbortSignal }) => Promise<Tagged<D>> };
  save: (changes: Partial<T>, etag: string | undefined) => Promise<unknown>;
}

/** `useEdit` for something that is read with its tag. */
export function useEditing<D, T extends Values>({ tagged, draftOf, query, save }: EditingOptions<D, T>) {
  const valuesOf = ({ data, etag }: Tagged<D>) => ({ values: draftOf(data), etag });
  const edit = useEdit<T>({
    loaded: valuesOf(tagged),
    save,
    reload: async () => valuesOf(await readNow(query)),
  });
  const change = (part: Partial<T>) => {
    for (const [field, value] of Object.entries(part)) edit.set(field, value as T[string]);
  };
  return {
    ...edit,
    change,
    field: fieldsOf(edit.draft, change, edit.error),
    save: async () => {
      const isSaved = await edit.save();
      if (isSaved) announce(t.common.saved);
      return isSaved;
    },
  };
}

export type Editing<T extends Values> = ReturnType<typeof useEditing<never, T>>;

interface EditFormProps<T extends Values> {
  editing: Editing<T>;
  labels: Partial<Record<keyof T, string>>;
  /** Fields whose values must not be shown in conflict messages. */
  secret?: readonly (keyof T)[];
  /** Values of fields in words, in conflict messages. */
  words?: Partial<Record<keyof T, (value: unknown) => string>>;
  disabled?: boolean;
  onClose?: () => void;
  children: ComponentChildren;
}

/** Saves what was changed; shows both values of what another user changed first. */
export const EditForm = <T extends Values>({
  editing,
  labels,
  secret = [],
  words = {},
  disabled = false,
  onClose,
  children,
}: EditFormProps<T>) => (
  <Form
    action={editing}
    onSubmit={async () => (await editing.save()) && onClose?.()}
    submit={t.settings.saveChanges}
    disabled={disabled || !editing.isDirty}
    onCancel={onClose}
  >
    {children}
    <Conflicts
      conflicts={editing.conflicts}
      draft={editing.draft}
      label={(field) => labels[field] ?? field}
      words={(value, field) => (secret.includes(field) ? '•••' : (words[field] ?? inWords)(value))}
      onTake={(field, value) => editing.set(field, value as T[string])}
    />
  </Form>
);

export function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? t.common.yes : t.common.no;
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return t.common.none;
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  if (typeof value !== 'object') return String(value);
  return 'name' in value ? String(value.name) : JSON.stringify(value);
}
