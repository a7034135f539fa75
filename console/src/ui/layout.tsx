import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import styles from './layout.module.css';

interface SectionProps {
  title: ComponentChildren;
  /** The heading is for screen readers and outlines only. */
  quiet?: boolean;
  actions?: ComponentChildren;
  /** On a separate surface. */
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

/** Items in a row that wrap. */
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
