import { t } from '../i18n/messages.js';
import { Button } from './button.js';
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
  return (
    <div class={`${styles.bar} ${sticky ? styles.sticky : ''}`}>
      {edit.error && edit.conflicts.length === 0 ? <ErrorNotice error={edit.error} /> : null}
      <div class={styles.buttons}>
        <Button onClick={onDiscard ?? edit.discard}>{onDiscard ? t.common.cancel : t.common.discard}</Button>
        <Button type="submit" look="primary" disabled={!edit.isDirty} busy={edit.isBusy}>
          {t.common.save}
        </Button>
      </div>
    </div>
  );
}
