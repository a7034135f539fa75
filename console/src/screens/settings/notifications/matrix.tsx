import { useState } from 'preact/hooks';
import { api } from '../../../api/api.js';
import { answer } from '../../../api/client.js';
import { outdate, queryClient } from '../../../api/query-client.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { ErrorNotice } from '../../../ui/notice.js';
import { type Flag, flags, type Setting } from './events.js';
import styles from './notifications.module.css';

/** Events by channels: beside each other where there is room, below each other on phones. */
export function Matrix({ settings, canChange }: { settings: readonly Setting[]; canChange: boolean }) {
  const [error, setError] = useState<unknown>(null);
  const set = async ({ id, name }: Setting, flag: Flag, value: boolean) => {
    setError(null);
    try {
      const saved = await answer(
        api.PUT('/api/notifications/{setting_id}', {
          params: { path: { setting_id: id } },
          body: { [flag]: value },
        }),
      );
      queryClient.setQueryData<Setting[]>(['/api/notifications', null], (known) =>
        known?.map((each) => (each.id === id ? saved : each)),
      );
      announce(t.notifications.changed(name, t.notifications.flags[flag], value));
      outdate('/api/notifications/{setting_id}');
    } catch (reason) {
      setError(reason);
      outdate('/api/notifications');
    }
  };
  return (
    <>
      {error ? <ErrorNotice error={error} /> : null}
      <ul class={styles.matrix}>
        {flags.map((flag) => (
          <li key={flag}>
            <div id={`event-${flag}`} class={styles.event}>
              {t.notifications.flags[flag]}
              {!settings.some((setting) => setting.enabled && setting[flag]) && (
                <span class="muted small"> · {t.notifications.nobody}</span>
              )}
            </div>
            <div class={styles.cells} role="group" aria-labelledby={`event-${flag}`}>
              {settings.map((setting) => (
                <label key={setting.id}>
                  <input
                    type="checkbox"
                    checked={setting[flag]}
                    disabled={!canChange}
                    onChange={(event) => void set(setting, flag, event.currentTarget.checked)}
                  />
                  <bdi>{setting.name}</bdi>
                </label>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
