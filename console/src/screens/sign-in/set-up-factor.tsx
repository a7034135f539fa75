import type { User } from '../../hub/protocol.js';
import { later } from '../../ui/later.js';
import { Mark } from '../../ui/mark.js';
import styles from './sign-in.module.css';

const FirstFactor = later(() => import('../account/first-factor.js'));

/** The service wants a second factor before anything else. */
export const SetUpFactor = ({ user }: { user: User }) => (
  <main class={styles.screen}>
    <div class={styles.form}>
      <div class={styles.brand}>
        <Mark />
      </div>
      <FirstFactor user={user} />
    </div>
  </main>
);
