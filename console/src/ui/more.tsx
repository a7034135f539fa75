import { ChevronRight } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { Stack } from './layout.js';
import styles from './more.module.css';

/** What most people don't need: there when they look. */
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
