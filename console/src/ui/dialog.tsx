import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/messages.js';
import { Button, IconButton } from './button.js';
import styles from './dialog.module.css';
import { TextField } from './field.js';
import { Halted, useHalted } from './halted.js';
import { ErrorNotice } from './notice.js';
import { useAction } from './use-action.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

/** A native modal dialog: the browser keeps the focus in it, closes it by Escape, and gives the focus back. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={`${styles.dialog} ${wide ? styles.wide : ''}`}
      aria-labelledby={id}
      onClose={onClose}
      // A form around it is not meant.
      onSubmit={(event) => event.stopPropagation()}
      onCancel={(event) => {
        if (event.target !== element.current) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div class={styles.head}>
        <h2 id={id}>{title}</h2>
        <IconButton label={t.common.close} onClick={onClose}>
          <X aria-hidden="true" size={20} />
        </IconButton>
      </div>
      <div class={styles.body}>{children}</div>
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  children: ComponentChildren;
  /** Label of the button, as a verb: never "OK". */
  action: string;
  danger?: boolean;
  /** Text that must be typed first. */
  typed?: string;
  typedLabel?: string;
  /** A required selection is missing. */
  disabled?: boolean;
  onConfirm: () => Promise<unknown> | undefined;
  onClose: () => void;
}

/** Asks once more; stays open with the reason if it fails. */
export function ConfirmDialog({ title, children, action, typed, onConfirm, onClose, ...rest }: ConfirmProps) {
  const { danger = false, typedLabel, disabled = false } = rest;
  const [text, setText] = useState('');
  const { run, isBusy, error } = useAction(async () => onConfirm());
  const isHalted = useHalted();
  const isReady = !disabled && !isHalted && (typed === undefined || text.trim() === typed);
  const confirm = async () => {
    if (isReady && (await run())) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        {children}
        {typed !== undefined && (
          <TextField
            label={typedLabel ?? t.common.typeToConfirm(typed)}
            value={text}
            onValue={setText}
            exact
          />
        )}
        {error ? <ErrorNotice error={error} /> : null}
        <Halted />
        <div class={styles.foot}>
          <Button onClick={onClose} autofocus>
            {t.common.cancel}
          </Button>
          <Button type="submit" look={danger ? 'danger' : 'primary'} disabled={!isReady} busy={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ConfirmButtonProps extends Omit<ConfirmProps, 'onClose'> {
  look?: 'plain' | 'danger';
  /** Of the button, if the action is not enough. */
  label?: string;
}

/** A button for an irreversible action, with a confirmation dialog. */
export function ConfirmButton({ look, label, ...props }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        look={look ?? (props.danger ? 'danger' : 'plain')}
        aria-label={label}
        onClick={() => setAsking(true)}
      >
        {props.action}
      </Button>
      {isAsking && <ConfirmDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}
