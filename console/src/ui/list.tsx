import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import styles from './list.module.css';

interface ListProps {
  label: string;
  compact?: boolean;
  children: ComponentChildren;
}

/** Rows on one surface. */
export const List = ({ label, compact = false, children }: ListProps) => (
  <ul class={`${styles.list} ${compact ? styles.compact : ''}`} aria-label={label}>
    {children}
  </ul>
);

interface ItemProps {
  /** The page of the item, linked from the whole row. */
  href?: string;
  /** Name of the link for screen readers, if the title is not enough. */
  label?: string;
  title: ComponentChildren;
  /** Below the title. */
  note?: ComponentChildren;
  /** At the end of the row; below the title on phones. */
  children?: ComponentChildren;
  /** Buttons of the row, next to the link. */
  actions?: ComponentChildren;
}

export function ListItem({ href, label, title, note, children, actions }: ItemProps) {
  return (
    <li class={styles.item}>
      <div class={styles.main}>
        <div class={styles.title}>
          {href ? (
            <Link href={href} aria-label={label} className={styles.link}>
              {title}
            </Link>
          ) : (
            title
          )}
        </div>
        {note && <div class={styles.note}>{note}</div>}
      </div>
      {children && <div class={styles.aside}>{children}</div>}
      {actions && <div class={styles.actions}>{actions}</div>}
    </li>
  );
}
