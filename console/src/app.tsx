import { QueryClientProvider } from '@tanstack/preact-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { queryClient } from './api/query-client.js';
import { forgetSent } from './api/sent.js';
import styles from './app.module.css';
import { base } from './base.js';
import { Frame } from './frame/frame.js';
import { joinHub, user as signedIn } from './hub/link.js';
import { followChanges, followService } from './hub/live.js';
import type { User } from './hub/protocol.js';
import { t } from './i18n/messages.js';
import { routes } from './routes.js';
import { ChangePassword } from './screens/sign-in/change-password.js';
import { SetUpFactor } from './screens/sign-in/set-up-factor.js';
import { SignIn } from './screens/sign-in/sign-in.js';
import { useStore } from './store.js';
import { Notice } from './ui/notice.js';
import { Skeleton } from './ui/query-view.js';

followChanges();
followService();

// Another user must not see data or input of the previous one: see the key around the frame.
let lastId: number | undefined;
signedIn.follow(() => {
  const id = signedIn.get()?.id ?? lastId;
  if (lastId !== undefined && id !== lastId) {
    queryClient.clear();
    forgetSent();
  }
  lastId = id;
});

export function App({ joined }: { joined: Promise<unknown> }) {
  return (
    <QueryClientProvider client={queryClient}>
      <Router base={base}>
        <Signed joined={joined} />
      </Router>
    </QueryClientProvider>
  );
}

const mustDoFirst = ({ must_change_password, must_set_up_second_factor }: User): boolean =>
  must_change_password || must_set_up_second_factor;

/**
 * The signed-in user decides which screen is drawn. If a session ends while a page is open, the sign-in
 * covers it, so that input is kept.
 */
function Signed({ joined }: { joined: Promise<unknown> }) {
  const user = useStore(signedIn);
  const [last, setLast] = useState(user);
  const [isUnreachable, setUnreachable] = useState(false);
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (user === null) focused.current = document.activeElement;
    else {
      (focused.current as HTMLElement | null)?.focus();
      focused.current = null;
    }
  }, [user]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const fail = () => {
      setUnreachable(true);
      timer = setTimeout(() => joinHub().then(() => setUnreachable(false), fail), 3_000);
    };
    joined.catch(fail);
    return () => clearTimeout(timer);
  }, [joined]);
  useEffect(() => {
    if (user && !mustDoFirst(user)) setLast(user);
  }, [user]);
  if (user === undefined)
    return (
      <div class={styles.alone}>
        {isUnreachable ? (
          <Notice kind="warning" live>
            {t.frame.unreachable}
          </Notice>
        ) : (
          <Skeleton lines={4} />
        )}
      </div>
    );
  const isIn = user !== null && !mustDoFirst(user);
  const behind = isIn ? user : last;
  return (
    <>
      {behind && (
        <div key={behind.id} inert={!isIn}>
          <Frame user={behind} routes={routes} />
        </div>
      )}
      {user === null && <SignIn isOver={Boolean(behind)} />}
      {user?.must_change_password && <ChangePassword user={user} />}
      {user && mustDoFirst(user) && !user.must_change_password && <SetUpFactor user={user} />}
    </>
  );
}
