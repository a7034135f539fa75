import { t } from '../../i18n/messages.js';
import { TextField } from '../../ui/field.js';
import { PickFolder } from '../../ui/folder-picker.js';
import styles from './add.module.css';

interface PlaceFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  required?: boolean;
  /** The host that the folder is on; null: this server. */
  connection: number | null;
  value: string;
  onValue: (path: string) => void;
}

/** A folder, typed or chosen. */
export const PlaceField = ({ connection, ...rest }: PlaceFieldProps) => (
  <div class={styles.withButton}>
    <TextField {...rest} exact />
    <PickFolder title={rest.label} connectionId={connection} start={rest.value} onPick={rest.onValue}>
      {t.add.chooseFolderHere}
    </PickFolder>
  </div>
);
