import { useEffect, useState } from 'preact/hooks';
import { serverVersion } from '../api/server-version.js';
import { connection } from '../hub/link.js';
import { sinceWhen } from '../i18n/format.js';
import { t } from '../i18n/messages.js';
import { useStore } from '../store.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import styles from './connection-bar.module.css';

/** After the last word of the server, which says something every 15 s: a short loss is not worth a bar. */
const graceMs = 25_000;

/** Says that what is shown is old, and takes the colour from every state; or that the server is a newer one. */
export function ConnectionBar() {
  const { state, since } = useStore(connection);
  const isUpdated = useStore(serverVersion).isUpdated;
  const [isOutdated, setOutdated] = useState(false);
  useEffect(() => {
    if (state === 'open') return setOutdated(false);
    const timer = setTimeout(() => setOutdated(true), Math.max(0, since + graceMs - Date.now()));
    return () => clearTimeout(timer);
  }, [state, since]);
  useEffect(() => {
    document.documentElement.toggleAttribute('data-outdated', isOutdated);
  }, [isOutdated]);
  return (
    <div class={styles.bars}>
      <div role="alert">
        {isOutdated && (
          <Notice kind="warning" title={t.frame.notConnected(sinceWhen(since))}>
            {t.frame.fromThen}
          </Notice>
        )}
      </div>
      {isUpdated && (
        <Notice action={<Button onClick={() => location.reload()}>{t.frame.reload}</Button>}>
          {t.frame.updated}
        </Notice>
      )}
      {location.protocol === 'http:' && !isLoopback(location.hostname) && (
        <p class={styles.plain}>{t.frame.notEncrypted}</p>
      )}
    </div>
  );
}

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127\./.test(host);
