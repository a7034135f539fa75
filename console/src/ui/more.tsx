import { ChevronRight } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { Stack } from './layout.js';
import styles from './more.module.css';

interface MoreProps {
  label: ComponentChildren;
  open?: boolean;
  onOpen?: () => void;
  children: ComponentChildren;
}

/** Folded content that most users don't need. */
export const More = ({ label, open = false, onOpen, children }: MoreProps) => (
  <details class={styles.more} open={open} onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}>
    <summary>
      <ChevronRight aria-hidden="true" size={18} />
      {label}
    </summary>
    <Stack>{children}</Stack>
  </details>
);
