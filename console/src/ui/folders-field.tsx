import { FolderPlus, X } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { t } from '../i18n/messages.js';
import { announce } from './announce.js';
import { Button, IconButton } from './button.js';
import { Group, TextField } from './field.js';
import { PickFolder } from './folder-picker.js';
import styles from './folders-field.module.css';

interface FoldersFieldProps {
  legend: string;
  value: readonly string[];
  onValue: (value: string[]) => void;
  /** The host they are on; null: this machine. */
  connectionId?: number | null;
  error?: string | undefined;
}

/** Several folders, chosen or typed. Needs the messages of `folders`. */
export function FoldersField({ legend, value, onValue, connectionId = null, error }: FoldersFieldProps) {
  const [typed, setTyped] = useState('');
  const [isRelative, setRelative] = useState(false);
  const add = (path: string) => {
    const isAbsolute = path.startsWith('/');
    setRelative(!isAbsolute);
    if (!isAbsolute) return;
    if (!value.includes(path)) onValue([...value, path]);
    setTyped('');
    announce(path);
  };
  return (
    <Group legend={legend}>
      <ul class={styles.folders} aria-label={legend}>
        {value.map((path) => (
          <li key={path}>
            <bdi>{path}</bdi>
            <IconButton
              label={t.folders.remove(path)}
              onClick={() => onValue(value.filter((other) => other !== path))}
            >
              <X aria-hidden="true" size={18} />
            </IconButton>
          </li>
        ))}
        {value.length === 0 && <li class="muted">{t.folders.none}</li>}
      </ul>
      <div class={styles.add}>
        <PickFolder
          icon={<FolderPlus aria-hidden="true" />}
          title={t.folders.add}
          connectionId={connectionId}
          onPick={add}
        >
          {t.folders.add}
        </PickFolder>
        <div class={styles.typed}>
          <TextField
            label={t.folders.typePath}
            error={isRelative ? t.folders.absolute : error}
            value={typed}
            onValue={setTyped}
            exact
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add(typed.trim());
            }}
          />
          <Button disabled={typed.trim() === ''} onClick={() => add(typed.trim())}>
            {t.common.add}
          </Button>
        </div>
      </div>
    </Group>
  );
}
