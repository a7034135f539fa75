import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { navigations } from '../frame/navigation.js';
import { t } from '../i18n/messages.js';
import styles from './layout.module.css';

interface PageProps {
  title: string;
  /** Instead of the title in the heading: it may have a mark or a live region of its own. */
  heading?: ComponentChildren;
  /** Where one comes from: `[label, address]`. */
  up?: readonly [string, string];
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  /** For reading and forms; lists and tables use the whole width. */
  narrow?: boolean;
  children: ComponentChildren;
}

/** A screen: its heading takes the focus when the person came from another page of the console. */
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
            {heading ?? title}
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

interface SectionProps {
  title: string;
  /** The heading is for screen readers and outlines only. */
  quiet?: boolean;
  actions?: ComponentChildren;
  /** On a surface of its own. */
  card?: boolean;
  children: ComponentChildren;
}

export function Section({ title, quiet = false, actions, card = false, children }: SectionProps) {
  const id = useId();
  return (
    <section class={`${styles.section} ${card ? styles.card : ''}`} aria-labelledby={id}>
      <div class={quiet ? 'visually-hidden' : styles.sectionHead}>
        <h2 id={id}>{title}</h2>
        {actions && <div class={styles.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}

export const Card = ({ children }: { children: ComponentChildren }) => (
  <div class={styles.card}>{children}</div>
);

/** Things beside each other that wrap. */
interface RowProps {
  children: ComponentChildren;
  end?: boolean;
  /** In sight at the end of a long page. */
  stays?: boolean;
}

export const Row = ({ children, end = false, stays = false }: RowProps) => (
  <div class={`${styles.row} ${end ? styles.end : ''} ${stays ? styles.stays : ''}`}>{children}</div>
);

/** Things below each other. */
export const Stack = ({ children, tight = false }: { children: ComponentChildren; tight?: boolean }) => (
  <div class={`${styles.stack} ${tight ? styles.tight : ''}`}>{children}</div>
);

/** Names with their values. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ComponentChildren] | null)[] }) => (
  <dl class={styles.facts}>
    {facts
      .filter((fact) => fact !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** One sentence, one action. */
export const Empty = ({ children, action }: { children: ComponentChildren; action?: ComponentChildren }) => (
  <div class={styles.empty}>
    <p>{children}</p>
    {action}
  </div>
);
