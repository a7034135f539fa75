import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { HoldfastError } from '../api/client.js';
import { t } from '../i18n/messages.js';
import { Button } from './button.js';
import { Row, Stack } from './layout.js';
import { ErrorNotice } from './notice.js';

/** Something that the server is asked to do: whether it is at work, and why it failed the last time. */
export interface Action {
  isBusy: boolean;
  error: unknown;
  /** @returns whether it succeeded. A second call while one is at work does nothing. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  clear(): void;
}

export function useAction(): Action {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const atWork = useRef(false);
  const run = async (work: () => Promise<unknown>) => {
    if (atWork.current) return false;
    atWork.current = true;
    setBusy(true);
    setError(null);
    try {
      await work();
      return true;
    } catch (reason) {
      setError(reason);
      return false;
    } finally {
      atWork.current = false;
      setBusy(false);
    }
  };
  return { isBusy, error, run, clear: () => setError(null) };
}

/** What the server says of one field: `path` as in the body, such as `name` or `retention.daily`. */
export const fieldError = (error: unknown, path: string): string | undefined =>
  error instanceof HoldfastError
    ? error.errors.find((found) => found.path === path || found.path.startsWith(`${path}.`))?.message
    : undefined;

interface FormProps {
  action: Action;
  onSubmit: () => unknown;
  /** What the button does, as a verb. */
  submit: string;
  danger?: boolean;
  disabled?: boolean;
  onCancel?: (() => void) | undefined;
  /** More buttons, before the one that submits. */
  buttons?: ComponentChildren;
  children: ComponentChildren;
}

/** Fields, what went wrong, and the buttons. If the server blames a field, that field gets the focus. */
export function Form(props: FormProps) {
  const { action, onSubmit, submit, danger = false, disabled = false, onCancel, buttons, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const { error } = action;
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled && !action.isBusy) void onSubmit();
      }}
    >
      <Stack>
        {children}
        {error ? <ErrorNotice error={error} /> : null}
        <Row end>
          {onCancel && <Button onClick={onCancel}>{t.common.cancel}</Button>}
          {buttons}
          <Button type="submit" look={danger ? 'danger' : 'primary'} busy={action.isBusy} disabled={disabled}>
            {submit}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
