import type { ComponentChildren } from 'preact';
import { Button } from './button.js';
import { Halted, useHalted } from './halted.js';
import { ErrorNotice } from './notice.js';
import { useAction } from './use-action.js';

interface ActionButtonProps {
  look?: 'primary' | 'plain' | 'danger';
  disabled?: boolean;
  'aria-label'?: string;
  'aria-expanded'?: boolean;
  onAct: () => Promise<unknown>;
  children: ComponentChildren;
}

/** A button that says below itself why it could not. */
export function ActionButton({ onAct, children, ...rest }: ActionButtonProps) {
  const { run, isBusy, error } = useAction(onAct);
  const isHalted = useHalted();
  return (
    <>
      <Button {...rest} disabled={rest.disabled || isHalted} busy={isBusy} onClick={() => void run()}>
        {children}
      </Button>
      <Halted />
      {error ? <ErrorNotice error={error} /> : null}
    </>
  );
}
