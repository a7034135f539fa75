import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/messages.js';
import { Button } from './button.js';
import { Row, Stack } from './layout.js';
import { ErrorNotice } from './notice.js';

interface FormProps {
  action: { isBusy: boolean; error: unknown; conflicts?: readonly unknown[] };
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
        {error && !action.conflicts?.length ? <ErrorNotice error={error} /> : null}
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
