import type { ComponentChildren } from 'preact';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { Stack } from '../../../ui/layout.js';
import { Tabs } from '../../../ui/tabs.js';

/** Supported sources of an import; each has its own address in `routes.ts`. */
const sources = () =>
  [
    [t.movingIn.repositories, '/settings/moving-in'],
    [t.movingIn.borgmatic, '/settings/moving-in/borgmatic'],
    [t.exchange.file, '/settings/moving-in/settings-file'],
  ] as const;

export const MovingInPage = ({ lead, children }: { lead?: string; children: ComponentChildren }) => (
  <Page title={t.frame.page.movingIn} up={[t.frame.place.settings, '/settings']} {...(lead && { lead })}>
    <Stack>
      <Tabs label={t.frame.page.movingIn} tabs={sources()} />
      {children}
    </Stack>
  </Page>
);
