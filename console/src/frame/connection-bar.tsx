import { useEffect, useState } from 'preact/hooks';
import { serverVersion } from '../api/server-version.js';
import { service } from '../api/service.js';
import { connection } from '../hub/link.js';
import { sinceWhen } from '../i18n/format.js';
import { t } from '../i18n/messages.js';
import { useStore } from '../store.js';
import { Button } from '../ui/button.js';
import { ErrorText, Notice } from '../ui/notice.js';
import styles from './connection-bar.module.css';

/** After the last word of the server, which says something every 15 s: a short loss is not worth a bar. */
const graceMs = 25_000;

/** Says that what is shown is old, or that the service can do nothing, and takes the colour from every state; or that the server is a newer one. */
export function ConnectionBar() {
  const { state, since } = useStore(connection);
  const now = useStore(service);
  const isUpdated = useStore(serverVersion).isUpdated;
  const [isOutdated, setOutdated] = useState(false);
  useEffect(() => {
    if (state === 'open') return setOutdated(false);
    const timer = setTimeout(() => setOutdated(true), Math.max(0, since + graceMs - Date.now()));
    return () => clearTimeout(timer);
  }, [state, since]);
  const lostAt = now.state === 'ready' || isOutdated ? since : now.since;
  const isOld = isOutdated || now.state !== 'ready';
  useEffect(() => {
    document.documentElement.toggleAttribute('data-outdated', isOld);
  }, [isOld]);
  return (
    <div class={styles.bars}>
      <div role="alert">
        {now.state === 'unready' ? (
          <Notice kind="warning" title={t.frame.notReady(sinceWhen(now.since))}>
            <ErrorText error={now.error} /> {t.frame.fromBefore}
          </Notice>
        ) : (
          isOld && (
            <Notice kind="warning" title={t.frame.notConnected(sinceWhen(lostAt))}>
              {t.frame.fromThen}
            </Notice>
          )
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
