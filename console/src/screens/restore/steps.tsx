import { t } from '../../i18n/messages.js';
import styles from './restore.module.css';

const steps = ['choose', 'target', 'plan', 'run'] as const;

export const Steps = ({ current }: { current: (typeof steps)[number] }) => (
  <ol class={styles.steps} aria-label={t.restore.steps}>
    {steps.map((step) => (
      <li key={step} aria-current={step === current ? 'step' : undefined}>
        {t.restore.step[step]}
      </li>
    ))}
  </ol>
);
