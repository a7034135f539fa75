import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { User } from '../hub/protocol.js';
import { t } from '../i18n/messages.js';
import { navigations, useAddress } from '../shell/navigation.js';
import { Page } from '../shell/page.js';
import { type Route, routeOf } from '../shell/router.js';
import { Button, ButtonLink } from '../ui/button.js';
import { Empty } from '../ui/layout.js';
import { Notice } from '../ui/notice.js';
import { Skeleton } from '../ui/query-view.js';

/** The screen of the present address. Until it is loaded, the one before stays. */
export function Screen({ user, routes }: { user: User; routes: readonly Route[] }) {
  const address = useAddress();
  const found = routeOf(routes, address);
  const [shown, setShown] = useState(found?.route.loaded ? found : null);
  const [isFailed, setFailed] = useState(false);
  const counted = useRef<string>();
  // Counts before the page is drawn, which needs the number to know whether the user navigated.
  if (counted.current !== address) navigations.count += 1;
  counted.current = address;
  useEffect(() => {
    let isCurrent = true;
    setFailed(false);
    if (!found || found.route.loaded) setShown(found);
    else
      found.route.load().then(
        () => isCurrent && setShown(found),
        () => isCurrent && setFailed(true),
      );
    return () => {
      isCurrent = false;
    };
  }, [address]);
  // Runs before the new page scrolls to its own content.
  useLayoutEffect(() => scrollTo(0, 0), [address]);
  if (isFailed) return <Failed />;
  if (!found) return <NotFound />;
  if (found.route.only === 'admins' && !user.is_admin)
    return <Refused user={user} title={t.common.adminOnly} />;
  if (found.route.only === 'unlimited' && user.role === 'limited')
    return <Refused user={user} title={t.common.notGranted} />;
  const current = found.route.loaded ? found : shown;
  const Loaded = current?.route.loaded;
  if (!Loaded) return <Skeleton lines={4} />;
  return <Loaded key={keyOf(current.route, current.params)} params={current.params} />;
}

/** Moving within a screen (to another folder or archive) does not remount it. */
const keyOf = (route: Route, { rest: _, archive: __, ...params }: Record<string, string>) =>
  `${route.path} ${JSON.stringify(params)}`;

const NotFound = () => (
  <Page title={t.frame.notFoundTitle}>
    <Empty action={<ButtonLink href="/">{t.frame.toHome}</ButtonLink>}>{t.frame.notFound}</Empty>
  </Page>
);

const Refused = ({ user, title }: { user: User; title: string }) => (
  <Page title={title}>
    <Empty action={<ButtonLink href="/">{t.frame.toHome}</ButtonLink>}>
      {t.common.youAre(user.username)}
    </Empty>
  </Page>
);

/** The connection, or an update of the server that removed the file. */
const Failed = () => (
  <Notice kind="warning" live action={<Button onClick={() => location.reload()}>{t.frame.reload}</Button>}>
    {t.frame.screenFailed}
  </Notice>
);
