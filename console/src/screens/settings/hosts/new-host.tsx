import { useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { outdate, useRead } from '../../../api/api.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { announce } from '../../../ui/announce.js';
import { RadioGroup } from '../../../ui/field.js';
import { Section } from '../../../ui/layout.js';
import { QueryView } from '../../../ui/query-view.js';
import type { Connection } from './parts.js';
import { recipeNames } from './recipes.js';
import { WithPassword } from './with-password.js';
import { WithPaste } from './with-paste.js';

/** Two ways to add a host: Holdfast copies its key with a password, or the user does it. */
export default function NewHost() {
  const isAdmin = useIsAdmin();
  // Set by the wizard, which continues afterwards.
  const wanted = new URLSearchParams(useSearch()).get('recipe');
  const recipe = recipeNames.find((name) => name === wanted);
  const [way, setWay] = useState<'password' | 'paste'>(recipe ? 'paste' : 'password');
  const [, navigate] = useLocation();
  const query = useRead('/api/ssh-keys/system-key');
  const finish = (connection: Connection | undefined, message: string) => {
    announce(message);
    outdate('/api/ssh-keys', '/api/overview');
    if (recipe) navigate('/add?step=where');
    else navigate(connection ? `/settings/hosts/${connection.id}` : '/settings/hosts');
  };
  return (
    <Page title={t.hosts.add} up={[t.frame.page.hosts, '/settings/hosts']} lead={t.hosts.addLead} narrow>
      <QueryView query={query}>
        {({ ssh_key }) =>
          !isAdmin && !ssh_key ? (
            <p>{t.hosts.adminFirst}</p>
          ) : (
            <>
              {isAdmin && (
                <RadioGroup
                  legend={t.hosts.way}
                  value={way}
                  onValue={setWay}
                  options={[
                    { value: 'password', label: t.hosts.withPassword, hint: t.hosts.withPasswordHint },
                    { value: 'paste', label: t.hosts.withPaste, hint: t.hosts.withPasteHint },
                  ]}
                />
              )}
              <Section title={t.hosts.add} quiet card>
                {way === 'password' ? (
                  <WithPassword systemKey={ssh_key} onDone={finish} />
                ) : (
                  <WithPaste systemKey={ssh_key} onDone={finish} first={recipe} />
                )}
              </Section>
            </>
          )
        }
      </QueryView>
    </Page>
  );
}
