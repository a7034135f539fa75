import { Eye, EyeOff } from 'lucide-preact';
import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { t } from '../i18n/messages.js';
import { IconButton } from './button.js';
import styles from './field.module.css';

export { errorAt } from './field-errors.js';

interface Common {
  label: string;
  hint?: ComponentChildren;
  /** The error, shown next to the field and announced with it. */
  error?: string | undefined;
}

interface Shell extends Common {
  children: (ids: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }) => ComponentChildren;
}

/** A label, a control, a hint, and an error. */
export function Field({ label, hint, error, children }: Shell) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div class={styles.field}>
      <label for={id}>{label}</label>
      {hint && (
        <div id={`${id}-hint`} class={styles.hint}>
          {hint}
        </div>
      )}
      {children({ id, 'aria-describedby': described, 'aria-invalid': error ? true : undefined })}
      {error && (
        <p id={`${id}-error`} class={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}

type InputProps = Common &
  Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'onInput' | 'value' | 'label'> & {
    value: string;
    onValue: (value: string) => void;
  };

/** Of names and code: a keyboard or a browser that helps makes another one of them. */
const asTyped = { autoCapitalize: 'none', autoComplete: 'off', spellcheck: false } as const;

/** @param exact no capitals, corrections or suggestions */
export function TextField({
  label,
  hint,
  error,
  value,
  onValue,
  exact,
  ...rest
}: InputProps & { exact?: boolean }) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input
          {...(exact && asTyped)}
          {...rest}
          {...ids}
          class={styles.input}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** Hidden until the user shows it. Keeps line breaks of pasted text, which an `input` would drop. */
export function SecretField({ label, hint, error, value, onValue, ...rest }: InputProps) {
  const [isShown, setShown] = useState(false);
  const paste = (event: ClipboardEvent) => {
    const lines = (event.clipboardData?.getData('text/plain') ?? '')
      .replace(/\r\n?/g, '\n')
      .replace(/\n+$/, '');
    if (!lines.includes('\n') || value.includes('\n')) return;
    event.preventDefault();
    onValue(lines);
  };
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <span class={styles.secret}>
          {value.includes('\n') ? (
            <textarea
              rows={4}
              {...asTyped}
              {...ids}
              value={value}
              class={`${styles.input} ${isShown ? styles.code : styles.hidden}`}
              onInput={(event) => onValue(event.currentTarget.value)}
            />
          ) : (
            <input
              {...asTyped}
              {...rest}
              {...ids}
              value={value}
              type={isShown ? 'text' : 'password'}
              class={styles.input}
              onPaste={paste}
              onInput={(event) => onValue(event.currentTarget.value)}
            />
          )}
          <IconButton
            label={isShown ? t.common.hide(label) : t.common.show(label)}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? <EyeOff aria-hidden="true" size={18} /> : <Eye aria-hidden="true" size={18} />}
          </IconButton>
        </span>
      )}
    </Field>
  );
}

type AreaProps = Common &
  Omit<JSX.TextareaHTMLAttributes<HTMLTextAreaElement>, 'onInput' | 'value' | 'label'> & {
    value: string;
    onValue: (value: string) => void;
    code?: boolean;
  };

export function TextArea({ label, hint, error, value, onValue, code = false, ...rest }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <textarea
          rows={4}
          {...(code && asTyped)}
          {...rest}
          {...ids}
          class={`${styles.input} ${code ? styles.code : ''}`}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** With more options, they can be searched. */
const mostUnsearched = 10;

type SelectProps<T extends string> = Common & {
  value: T;
  onValue: (value: T) => void;
  options: readonly (readonly [T, string])[];
  disabled?: boolean;
};

export function SelectField<T extends string>({
  label,
  hint,
  error,
  value,
  onValue,
  options,
  disabled,
}: SelectProps<T>) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLocaleLowerCase();
  const found = options.filter(([key, text]) => key === value || text.toLocaleLowerCase().includes(wanted));
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <>
          {options.length > mostUnsearched && (
            <input
              type="search"
              class={styles.input}
              aria-label={t.common.searchIn(label)}
              placeholder={t.common.search}
              disabled={disabled}
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
            />
          )}
          <select
            {...ids}
            class={styles.input}
            disabled={disabled}
            value={value}
            onChange={(event) => onValue(event.currentTarget.value as T)}
          >
            {found.map(([key, text]) => (
              <option key={key} value={key} selected={key === value}>
                {text}
              </option>
            ))}
          </select>
        </>
      )}
    </Field>
  );
}

interface TagsProps extends Common {
  value: readonly string[];
  onValue: (tags: string[]) => void;
}

/** Words with commas between them. */
export function TagsField({ value, onValue, ...rest }: TagsProps) {
  const [text, setText] = useState(value.join(', '));
  // A value from elsewhere, such as that of another tab, replaces what was typed.
  const shown = tagsOf(text).join() === value.join() ? text : value.join(', ');
  return (
    <TextField
      {...rest}
      maxLength={1100}
      value={shown}
      onValue={(next) => {
        setText(next);
        onValue(tagsOf(next));
      }}
    />
  );
}

const tagsOf = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

interface CheckProps {
  label: ComponentChildren;
  hint?: ComponentChildren;
  checked: boolean;
  onChecked: (checked: boolean) => void;
  disabled?: boolean;
  /** Drawn as a switch: it acts at once, without a save button. */
  switch?: boolean;
  name?: string;
}

export function CheckField({
  label,
  hint,
  checked,
  onChecked,
  switch: isSwitch = false,
  ...rest
}: CheckProps) {
  const id = useId();
  return (
    <div class={styles.check}>
      <input
        {...rest}
        id={id}
        type="checkbox"
        role={isSwitch ? 'switch' : undefined}
        class={isSwitch ? styles.switch : undefined}
        aria-describedby={hint ? `${id}-hint` : undefined}
        checked={checked}
        onChange={(event) => onChecked(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {hint && (
          <div id={`${id}-hint`} class={styles.hint}>
            {hint}
          </div>
        )}
      </div>
    </div>
  );
}

interface RadioProps<T extends string> {
  legend: string;
  quiet?: boolean;
  class?: string | undefined;
  value: T | undefined;
  onValue: (value: T) => void;
  options: readonly { value: T; label: ComponentChildren; hint?: ComponentChildren; disabled?: boolean }[];
}

export function RadioGroup<T extends string>({
  legend,
  quiet = false,
  class: own = '',
  value,
  onValue,
  options,
}: RadioProps<T>) {
  const name = useId();
  return (
    <fieldset class={`${styles.group} ${own}`}>
      <legend class={quiet ? 'visually-hidden' : undefined}>{legend}</legend>
      {options.map((option) => (
        <div class={styles.check} key={option.value}>
          <input
            id={`${name}-${option.value}`}
            type="radio"
            name={name}
            disabled={option.disabled}
            checked={option.value === value}
            aria-describedby={option.hint ? `${name}-${option.value}-hint` : undefined}
            onChange={() => onValue(option.value)}
          />
          <div>
            <label for={`${name}-${option.value}`}>{option.label}</label>
            {option.hint && (
              <div id={`${name}-${option.value}-hint`} class={styles.hint}>
                {option.hint}
              </div>
            )}
          </div>
        </div>
      ))}
    </fieldset>
  );
}

/** Several controls of one question. */
export const Group = ({ legend, children }: { legend: string; children: ComponentChildren }) => (
  <fieldset class={styles.group}>
    <legend>{legend}</legend>
    {children}
  </fieldset>
);
