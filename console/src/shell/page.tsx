import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { t } from '../i18n/messages.js';
import { navigations } from './navigation.js';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** Replaces the title in the heading, for a mark or a live region. */
  heading?: ComponentChildren;
  /** Where one comes from: `[label, address]`. */
  up?: readonly [string, string];
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  /** For reading and forms; lists and tables use the whole width. */
  narrow?: boolean;
  children: ComponentChildren;
}

/** A screen. Its heading takes the focus when the user came from another page of the console. */
export function Page({ title, heading, up, lead, actions, narrow = false, children }: PageProps) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t.common.pageTitle(title);
  }, [title]);
  useEffect(() => {
    if (navigations.count > 0 || navigations.isSignIn) head.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div class={`${styles.page} ${narrow ? styles.narrow : ''}`}>
      {up && (
        <nav class={styles.up} aria-label={t.common.whereYouAre}>
          <UpLink label={up[0]} href={up[1]} />
        </nav>
      )}
      <div class={styles.head}>
        <div>
          <h1 ref={head} tabIndex={-1}>
            {heading ?? <bdi>{title}</bdi>}
          </h1>
          {lead && <div class={styles.lead}>{lead}</div>}
        </div>
        {actions && <div class={styles.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}

const UpLink = ({ label, href }: { label: string; href: string }) => <Link href={href}>‹ {label}</Link>;
