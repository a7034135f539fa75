import { useSearch } from 'wouter-preact';
import { t } from '../../../i18n/messages.js';
import { Page, Stack } from '../../../ui/layout.js';
import { Tabs } from '../../../ui/tabs.js';
import { Found } from './found.js';
import { Look } from './look.js';
import { TakeOver } from './take-over.js';

/** What else one can move in from has a tab here and an address of its own in `routes.ts`. */
const sources = () => [[t.movingIn.repositories, '/settings/moving-in']] as const;

/** Repositories that exist: look, choose, do, and then take over. */
export default function MovingIn() {
  const discovery = Number(new URLSearchParams(useSearch()).get('look'));
  return (
    <Page title={t.settings.pages.movingIn} up={[t.settings.title, '/settings']} lead={t.movingIn.lead}>
      <Stack>
        {sources().length > 1 && <Tabs label={t.settings.pages.movingIn} tabs={sources()} />}
        <Look />
        {discovery > 0 && <Found key={discovery} id={discovery} />}
        <TakeOver />
      </Stack>
    </Page>
  );
}
