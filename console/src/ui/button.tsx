import type { ComponentChildren, JSX } from 'preact';
import { Link } from 'wouter-preact';
import styles from './button.module.css';

type Look = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, 'icon'> {
  look?: Look;
  /** Works on it: can't be pressed again, says so to a screen reader. */
  busy?: boolean;
  icon?: ComponentChildren;
  wide?: boolean;
  children: ComponentChildren;
}

const classes = (look: Look, wide: boolean) => `${styles.button} ${styles[look]} ${wide ? styles.wide : ''}`;

export function Button({ look = 'plain', busy = false, icon, wide = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={classes(look, wide)}
      disabled={rest.disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {icon}
      <span>{children}</span>
    </button>
  );
}

interface ButtonLinkProps {
  href: string;
  look?: Look;
  icon?: ComponentChildren;
  wide?: boolean;
  children: ComponentChildren;
  'aria-label'?: string;
}

/** Goes to another page of the console, and looks like a button. */
export function ButtonLink({ look = 'plain', icon, wide = false, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={classes(look, wide)}>
      {icon}
      <span>{children}</span>
    </Link>
  );
}

interface IconButtonProps extends Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'label'> {
  /** The action, for screen readers and as tooltip. */
  label: string;
  children: ComponentChildren;
}

export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`${styles.button} ${styles.icon}`}
      aria-label={label}
      title={label}
    >
      {children}
    </button>
  );
}
