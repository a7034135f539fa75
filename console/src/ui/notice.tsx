import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { HoldfastError } from '../api/client.js';
import { t } from '../i18n/messages.js';
import { ButtonLink } from './button.js';
import styles from './notice.module.css';
import { Sentence } from './sentence.js';

export { failureOf, lastErrorOf, reasonOf, Sentence } from './sentence.js';

const icons = { info: Info, good: CircleCheck, warning: TriangleAlert, error: CircleAlert };

interface NoticeProps {
  kind?: keyof typeof icons;
  title?: ComponentChildren;
  action?: ComponentChildren;
  /** Caused by the user's action: a screen reader reads it immediately. */
  live?: boolean;
  children?: ComponentChildren;
}

export function Notice({ kind = 'info', title, action, live = false, children }: NoticeProps) {
  const Icon = icons[kind];
  return (
    <div
      class={`${styles.notice} ${styles[kind]}`}
      role={live ? (kind === 'error' ? 'alert' : 'status') : undefined}
    >
      <Icon aria-hidden="true" size={20} />
      <div class={styles.text}>
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
        {action && <div class={styles.action}>{action}</div>}
      </div>
    </div>
  );
}

/** The error in the server's words, with a link to the blocking job. */
export function ErrorNotice({ error, action }: { error: unknown; action?: ComponentChildren }) {
  const isInUse = error instanceof HoldfastError && error.status === 409;
  const job = isInUse && /\bjob (\d+)/.exec(error.detail)?.[1];
  const open = job && <ButtonLink href={`/activity/${job}`}>{t.common.openJob(Number(job))}</ButtonLink>;
  const actions = (action || open) && (
    <>
      {action} {open}
    </>
  );
  return (
    <Notice kind="error" live action={actions}>
      <ErrorText error={error} />
    </Notice>
  );
}

export function ErrorText({ error }: { error: unknown }) {
  if (!(error instanceof HoldfastError)) return <>{String((error as Error)?.message ?? error)}</>;
  if (error.status === 0) return <>{t.common.noAnswer}</>;
  const { code = null, params, detail } = error;
  return <Sentence code={code} params={params} text={detail} />;
}
