import styles from './mark.module.css';

export const Mark = () => (
  <svg class={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="currentColor" />
    <path d="M9 7v18M23 7v18M9 16h14M16 11.5v9" class={styles.strokes} />
  </svg>
);
