import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { HoldfastError } from '../api/client.js';
import { t } from '../i18n/messages.js';
import { Button } from './button.js';
import { ErrorNotice, Notice } from './notice.js';
import styles from './query-view.module.css';

interface Query<T> {
  data: T | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

interface QueryViewProps<T> {
  query: Query<T>;
  /** Lines of the skeleton while the first answer is awaited. */
  lines?: number;
  /** What it was, if it is gone (404). */
  gone?: string;
  children: (data: T) => ComponentChildren;
}

/** The states that everything read from the server has: first load, failed, gone, there. */
export function QueryView<T>({ query, lines = 3, gone, children }: QueryViewProps<T>) {
  const { data, error, refetch } = query;
  const again = <Button onClick={() => void refetch()}>{t.common.tryAgain}</Button>;
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

/** Takes up the place of what is to come, now or when it is scrolled to; nothing is seen for the first 150 ms. */
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
