import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { HoldfastError } from '../api/client.js';
import { t } from '../i18n/messages.js';
import { Button } from './button.js';
import { Row } from './layout.js';
import { ErrorNotice, Notice } from './notice.js';
import styles from './query-view.module.css';
import { useCountdown } from './use-countdown.js';

export interface Query<T> {
  data: T | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

interface QueryViewProps<T> {
  query: Query<T>;
  /** Lines of the skeleton while the first answer is awaited. */
  lines?: number;
  /** Name of the object, for a 404. */
  gone?: string;
  children: (data: T) => ComponentChildren;
}

/** The states of data from the server: first load, failed, gone, loaded. */
export function QueryView<T>({ query, lines = 3, gone, children }: QueryViewProps<T>) {
  const { data, error, refetch } = query;
  const again = <Again error={error} onTry={refetch} />;
  if (data === undefined && error instanceof HoldfastError && error.status === 404 && gone)
    return <Notice kind="warning">{gone}</Notice>;
  if (data === undefined)
    return error ? <ErrorNotice error={error} action={again} /> : <Skeleton lines={lines} />;
  return (
    <>
      {error ? <ErrorNotice error={error} action={again} /> : null}
      {children(data)}
    </>
  );
}

/** Counts down if the server sent a time, and retries automatically. */
function Again({ error, onTry }: { error: unknown; onTry: () => unknown }) {
  const seconds = (error instanceof HoldfastError && error.retryAfter) || 0;
  const [left, wait] = useCountdown(() => void onTry());
  useEffect(() => wait(seconds), [error]);
  return (
    <Row>
      <Button onClick={() => void onTry()}>{t.common.tryAgain}</Button>
      {left > 0 && <span role="timer">{t.common.triesIn(left)}</span>}
    </Row>
  );
}

/** Reserves the space of content that loads; invisible for the first 150 ms. */
export function Skeleton({ lines = 3, isLoading = true }: { lines?: number; isLoading?: boolean }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={`${styles.skeleton} ${isShown ? styles.shown : ''}`} aria-busy={isLoading}>
      {isLoading && <span class="visually-hidden">{t.common.loading}</span>}
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} />
      ))}
    </div>
  );
}
