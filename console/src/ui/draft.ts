import { useState } from 'preact/hooks';
import { errorAt } from './field-errors.js';

type Named<T, V> = { [K in keyof T]-?: T[K] extends V | undefined ? K : never }[keyof T] & string;

/** Props of the fields of a form, by their names in the draft and in the body of the request. */
export function fieldsOf<T extends object>(draft: T, change: (part: Partial<T>) => void, error?: unknown) {
  const prop = <V>(name: keyof T & string, value: V, onValue: (value: V) => unknown) => ({
    error: errorAt(error, name),
    value,
    onValue: (next: V) => change({ [name]: onValue(next) } as Partial<T>),
  });
  return {
    value: <K extends keyof T & string>(name: K) => prop(name, draft[name], (value) => value),
    /** Null while it is empty. */
    orNull: (name: Named<T, string | null>) =>
      prop(name, (draft[name] ?? '') as string, (text) => (text === '' ? null : text)),
    count: (name: Named<T, number>) => ({
      ...prop(name, String(draft[name] || ''), (text) => Math.trunc(Number(text))),
      type: 'number',
    }),
    check: (name: Named<T, boolean>) => ({
      checked: draft[name] as boolean,
      onChecked: (checked: boolean) => change({ [name]: checked } as Partial<T>),
    }),
  };
}

/** A draft that is changed in parts. */
export function useDraft<T extends object>(initial: T | (() => T)) {
  const [draft, setDraft] = useState(initial);
  return [draft, (part: Partial<T>) => setDraft((now) => ({ ...now, ...part }))] as const;
}
