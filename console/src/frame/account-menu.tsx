import { CircleUser } from 'lucide-preact';
import { useLocation } from 'wouter-preact';
import { base } from '../base.js';
import { ask } from '../hub/link.js';
import type { User } from '../hub/protocol.js';
import { choose, locale, locales } from '../i18n/locale.js';
import { t } from '../i18n/messages.js';
import { useStore } from '../store.js';
import { Menu } from '../ui/menu.js';
import { chooseTheme, theme, themes } from './theme.js';

interface AccountProps {
  user: User;
  openHelp: () => void;
  openCommands: () => void;
}

export function AccountMenu({ user, openHelp, openCommands }: AccountProps) {
  const [, navigate] = useLocation();
  const chosen = useStore(theme);
  const others = locales.filter((language) => language !== locale());
  return (
    <Menu
      label={t.frame.account(user.username)}
      trigger={<CircleUser aria-hidden="true" size={22} />}
      items={[
        { label: t.frame.yourAccount, onSelect: () => navigate('/account') },
        { label: t.frame.changePassword, onSelect: () => navigate('/password') },
        ...themes
          .filter((other) => other !== chosen)
          .map((other) => ({ label: t.frame.theme[other], onSelect: () => chooseTheme(other) })),
        ...others.map((language) => ({
          label: { en: 'English', de: 'Deutsch' }[language],
          onSelect: () => {
            choose(language);
            location.reload();
          },
        })),
        { label: t.frame.shortcuts, onSelect: openHelp },
        { label: t.frame.commands, onSelect: openCommands },
        {
          label: t.frame.signOut(user.username),
          onSelect: () => void ask('signOut').then((elsewhere) => location.assign(elsewhere ?? `${base}/`)),
        },
      ]}
    />
  );
}
