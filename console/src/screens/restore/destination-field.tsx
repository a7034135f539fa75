import { useAllowedFolders } from '../../hub/may.js';
import { list } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { TextField } from '../../ui/field.js';
import { PickFolder } from '../../ui/folder-picker.js';
import styles from './restore.module.css';

interface FieldProps {
  value: string;
  onValue: (path: string) => void;
  connectionId: number | null;
  error: string | undefined;
}

/** The folder to create, in a location that the user selects. */
export function DestinationField({ value, onValue, connectionId, error }: FieldProps) {
  const allowed = useAllowedFolders();
  const name = value.slice(value.lastIndexOf('/') + 1);
  return (
    <div class={styles.destination}>
      <TextField
        label={t.browse.where}
        hint={allowed ? t.restore.allowedFolders(list(allowed)) : t.restore.destinationHint}
        error={error}
        value={value}
        onValue={onValue}
        required
        exact
      />
      {!allowed && (
        <PickFolder
          title={t.restore.pickFolder}
          connectionId={connectionId}
          onPick={(folder) => onValue(`${folder.replace(/\/$/, '')}/${name}`)}
        >
          {t.restore.pickFolder}
        </PickFolder>
      )}
    </div>
  );
}
