import { useState } from 'preact/hooks';
import { outdate, queryClient, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { ErrorNotice } from '../../../ui/notice.js';
import { type Flag, flags, type Setting } from './events.js';
import styles from './notifications.module.css';

/** Events by channels. On phones a list of events, with the channels below each. */
export function Matrix({ settings, canChange }: { settings: readonly Setting[]; canChange: boolean }) {
  const [error, setError] = useState<unknown>(null);
  const set = async ({ id, name }: Setting, flag: Flag, value: boolean) => {
    setError(null);
    try {
      const saved = await write('PUT', '/api/notifications/{setting_id}', {
        path: { setting_id: id },
        body: { [flag]: value },
      });
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
      <table class={styles.matrix}>
        <thead>
          <tr>
            <th scope="col">{t.notifications.event}</th>
            {settings.map(({ id, name }) => (
              <th scope="col" key={id}>
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {flags.map((flag) => (
            <tr key={flag}>
              <th scope="row">
                {t.notifications.flags[flag]}
                {!settings.some((setting) => setting.enabled && setting[flag]) && (
                  <span class="muted small"> · {t.notifications.nobody}</span>
                )}
              </th>
              {settings.map((setting) => (
                <td key={setting.id}>
                  <label>
                    <input
                      type="checkbox"
                      checked={setting[flag]}
                      disabled={!canChange}
                      aria-label={`${setting.name}: ${t.notifications.flags[flag]}`}
                      onChange={(event) => void set(setting, flag, event.currentTarget.checked)}
                    />
                    <bdi aria-hidden="true">{setting.name}</bdi>
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
