import { useState } from 'preact/hooks';
import { t } from '../i18n/messages.js';
import { Dialog } from '../ui/dialog.js';
import { CheckField } from '../ui/field.js';
import { Stack } from '../ui/layout.js';
import styles from './shortcut-help.module.css';
import { shortcutsAreOn, switchShortcuts } from './shortcuts.js';

const keys = [
  ['Ctrl K', 'search'],
  ['/', 'search'],
  ['?', 'help'],
  ['g h', 'home'],
  ['g r', 'repositories'],
  ['g s', 'schedules'],
  ['g a', 'activity'],
  ['g n', 'settings'],
  ['b', 'backup'],
  ['Esc', 'close'],
] as const;

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const [areOn, setOn] = useState(shortcutsAreOn());
  return (
    <Dialog title={t.frame.shortcuts} onClose={onClose}>
      <Stack>
        <dl class={styles.keys}>
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{{ ...t.frame.keys, ...t.frame.place }[what]}</dd>
            </div>
          ))}
        </dl>
        <CheckField
          switch
          label={t.frame.singleKeys}
          checked={areOn}
          onChecked={(isOn) => {
            switchShortcuts(isOn);
            setOn(isOn);
          }}
        />
      </Stack>
    </Dialog>
  );
}
