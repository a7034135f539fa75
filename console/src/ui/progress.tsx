import { percent as asPercent } from '../i18n/format.js';
import styles from './progress.module.css';

interface ProgressProps {
  /** 0 to 100; null or 0: running for an unknown time. */
  percent: number | null;
  label: string;
  /** Beside the bar: how long it still takes, or how much. */
  note?: string;
}

export function Progress({ percent: known, label, note }: ProgressProps) {
  const percent = known || null;
  return (
    <div class={styles.progress}>
      <progress aria-label={label} max={100} {...(percent === null ? {} : { value: percent })} />
      <span class={styles.note}>{[percent && asPercent(percent), note].filter(Boolean).join(' · ')}</span>
    </div>
  );
}

/** A fill level, with its meaning in words next to it. */
export function Meter({ percent, label, full = false }: { percent: number; label: string; full?: boolean }) {
  return (
    <span class={`${styles.meter} ${full ? styles.full : ''}`} role="img" aria-label={label}>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect width={Math.max(0, Math.min(100, percent))} height="8" fill="currentColor" />
      </svg>
    </span>
  );
}
