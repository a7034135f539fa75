import { useQuery } from '@tanstack/preact-query';
import {
  Activity,
  Archive,
  ArchiveRestore,
  BellRing,
  CalendarClock,
  House,
  Search,
  Settings,
} from 'lucide-preact';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { overviewQuery } from '../api/overview.js';
import { base } from '../base.js';
import { useMay } from '../hub/may.js';
import type { User } from '../hub/protocol.js';
import { number } from '../i18n/format.js';
import { t } from '../i18n/messages.js';
import { prepare, type Route, routeOf } from '../shell/router.js';
import { Announcer } from '../ui/announce.js';
import { IconButton } from '../ui/button.js';
import { Mark } from '../ui/mark.js';
import { AccountMenu } from './account-menu.js';
import { ConfirmationDialog } from './confirmation.js';
import { ConnectionBar } from './connection-bar.js';
import styles from './frame.module.css';
import { sayJobEnds } from './job-ends.js';
import { keepFocus } from './kept-focus.js';
import { Palette } from './palette.js';
import { Screen } from './screen.js';
import { ShortcutHelp } from './shortcut-help.js';
import { followShortcuts } from './shortcuts.js';

const places = [
  { place: 'home', href: '/', icon: House },
  { place: 'repositories', href: '/repositories', icon: Archive },
  { place: 'schedules', href: '/schedules', icon: CalendarClock },
  { place: 'activity', href: '/activity', icon: Activity },
  { place: 'incidents', href: '/settings/incidents', icon: BellRing },
  { place: 'settings', href: '/settings', icon: Settings },
] as const;

/** Their number, if any. */
function OpenIncidents() {
  const count = useQuery(overviewQuery()).data?.counts.incidents;
  return count ? <b class={styles.count}>{number(count)}</b> : null;
}

const Places = ({ current, routes }: { current: Route['place'] | undefined; routes: readonly Route[] }) => (
  <nav class={styles.places} aria-label={t.frame.places}>
    {places.map(({ place, href, icon: Icon }) => (
      <Link
        key={place}
        href={href}
        aria-current={current === place ? 'page' : undefined}
        onPointerEnter={() => prepare(routes, href)}
        onFocus={() => prepare(routes, href)}
      >
        <Icon aria-hidden="true" size={22} />
        <span>{t.frame.place[place]}</span>
        {place === 'incidents' && <OpenIncidents />}
      </Link>
    ))}
  </nav>
);

/** The frame around every screen: navigation, restore, search, user and connection. */
export function Frame({ user, routes }: { user: User; routes: readonly Route[] }) {
  const [address, navigate] = useLocation();
  const [open, setOpen] = useState<'palette' | 'help' | null>(null);
  const [Commands, setCommands] = useState<ComponentType<{ onClose: () => void }> | null>(null);
  const openCommands = () =>
    void import('./commands.js').then(
      (file) => setCommands(() => file.default),
      () => undefined,
    );
  const route = routeOf(routes, address)?.route;
  const current = route?.place;
  const may = useMay();
  useEffect(
    () =>
      followShortcuts({ navigate, openPalette: () => setOpen('palette'), openHelp: () => setOpen('help') }),
    [navigate],
  );
  useEffect(keepFocus, []);
  useEffect(sayJobEnds, []);
  return (
    <div class={styles.frame}>
      <a class={styles.skip} href="#main">
        {t.frame.skip}
      </a>
      <header class={styles.top}>
        <Link href="/" className={styles.brand}>
          <Mark />
          <span>Holdfast</span>
        </Link>
        <div class={styles.tools}>
          {may('restore') && (
            <Link
              href="/restore"
              className={styles.restore}
              aria-current={current === 'restore' ? 'page' : undefined}
              onPointerEnter={() => prepare(routes, '/restore')}
            >
              <ArchiveRestore aria-hidden="true" size={18} />
              <span>{t.frame.restoreFiles}</span>
            </Link>
          )}
          <IconButton label={t.frame.search} aria-keyshortcuts="Control+K" onClick={() => setOpen('palette')}>
            <Search aria-hidden="true" size={20} />
          </IconButton>
          <AccountMenu user={user} openHelp={() => setOpen('help')} openCommands={openCommands} />
        </div>
      </header>
      <Places current={current} routes={routes} />
      <div class={styles.content}>
        <ConnectionBar />
        <main id="main" tabIndex={-1}>
          <Screen user={user} routes={routes} />
        </main>
        <footer class={styles.help}>
          <a href={`${base}/docs/${route?.help ?? ''}`} target="_blank" rel="noopener">
            {t.frame.help}
          </a>
        </footer>
      </div>
      <Announcer />
      <ConfirmationDialog />
      {open === 'palette' && (
        <Palette user={user} onClose={() => setOpen(null)} openCommands={openCommands} />
      )}
      {Commands && <Commands onClose={() => setCommands(null)} />}
      {open === 'help' && <ShortcutHelp onClose={() => setOpen(null)} />}
    </div>
  );
}
