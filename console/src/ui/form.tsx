import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/messages.js';
import { Button } from './button.js';
import { focusInvalid, isOfFields } from './field-errors.js';
import { Halted, useHalted } from './halted.js';
import { Row, Stack } from './layout.js';
import { ErrorNotice } from './notice.js';

export { fieldsOf, useDraft } from './draft.js';
export { type Action, useAction } from './use-action.js';

interface FormProps {
  action: { isBusy: boolean; error: unknown; conflicts?: readonly unknown[] };
  onSubmit: () => unknown;
  /** Label of the button, as a verb. */
  submit: string;
  danger?: boolean;
  disabled?: boolean;
  onCancel?: (() => void) | undefined;
  /** More buttons, before the one that submits. */
  buttons?: ComponentChildren;
  children: ComponentChildren;
}

/** Fields, buttons, and errors: above the fields if some are invalid, and the first one gets the focus. */
export function Form(props: FormProps) {
  const { action, onSubmit, submit, danger = false, disabled = false, onCancel, buttons, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const { error } = action;
  const isOff = useHalted() || disabled;
  useLayoutEffect(() => {
    if (error) focusInvalid(form.current);
  }, [error]);
  const notice = error && !action.conflicts?.length ? <ErrorNotice error={error} /> : null;
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOff && !action.isBusy) void onSubmit();
      }}
    >
      <Stack>
        {isOfFields(error) && notice}
        {children}
        {!isOfFields(error) && notice}
        <Halted />
        <Row end>
          {onCancel && <Button onClick={onCancel}>{t.common.cancel}</Button>}
          {buttons}
          <Button type="submit" look={danger ? 'danger' : 'primary'} busy={action.isBusy} disabled={isOff}>
            {submit}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
