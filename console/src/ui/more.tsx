import { ChevronRight } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { Stack } from './layout.js';
import styles from './more.module.css';

/** Folded content that most users don't need. */
export const More = ({
  label,
  open = false,
  children,
}: {
  label: string;
  open?: boolean;
  children: ComponentChildren;
}) => (
  <details class={styles.more} open={open}>
    <summary>
      <ChevronRight aria-hidden="true" size={18} />
      {label}
    </summary>
    <Stack>{children}</Stack>
  </details>
);
