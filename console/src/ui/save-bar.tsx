import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/messages.js';
import { Button } from './button.js';
import { focusInvalid } from './field-errors.js';
import { Halted, useHalted } from './halted.js';
import { ErrorNotice } from './notice.js';
import styles from './save-bar.module.css';

interface SaveBarProps {
  edit: {
    isDirty: boolean;
    isBusy: boolean;
    error: unknown;
    conflicts: readonly unknown[];
    discard: () => void;
  };
  onDiscard?: () => void;
  /** Stays in view at the bottom of a long form. */
  sticky?: boolean;
}

/** Saves or forgets what was changed, and says why it could not be saved. */
export function SaveBar({ edit, onDiscard, sticky = false }: SaveBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const isHalted = useHalted();
  useLayoutEffect(() => {
    if (edit.error) focusInvalid(bar.current?.closest('form'));
  }, [edit.error]);
  return (
    <div ref={bar} class={`${styles.bar} ${sticky ? styles.sticky : ''}`}>
      {edit.error && edit.conflicts.length === 0 ? <ErrorNotice error={edit.error} /> : null}
      <Halted />
      <div class={styles.buttons}>
        <Button onClick={onDiscard ?? edit.discard}>{onDiscard ? t.common.cancel : t.common.discard}</Button>
        <Button type="submit" look="primary" disabled={isHalted || !edit.isDirty} busy={edit.isBusy}>
          {t.common.save}
        </Button>
      </div>
    </div>
  );
}
