import { useEffect, useState } from 'preact/hooks';
import { outdate, type Schemas, useRead, write } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { listProviders, type Provider, pathOfPage, signInError } from '../../shell/providers.js';
import { ActionButton } from '../../ui/action-button.js';
import { announce } from '../../ui/announce.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { Row, Section, Stack } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { QueryView } from '../../ui/query-view.js';

/** The user's own accounts at providers; nothing if there are no providers. */
export function LinkedAccounts() {
  const query = useRead('/api/auth/identities');
  const [providers, setProviders] = useState<Provider[]>([]);
  useEffect(() => {
    void listProviders().then(setProviders);
  }, []);
  const error = signInError();
  if (providers.length === 0) return null;
  return (
    <Section title={t.people.linked}>
      <Stack>
        {error && (
          <Notice kind="error" live>
            {error}
          </Notice>
        )}
        <p class="muted">{t.people.linkedLead}</p>
        <QueryView query={query}>
          {(identities) =>
            providers.map((provider) => (
              <Account
                key={provider.id}
                provider={provider}
                identity={identities.find((each) => each.provider === provider.id)}
              />
            ))
          }
        </QueryView>
      </Stack>
    </Section>
  );
}

type Identity = Schemas['IdentityView'];

function Account({
  provider: { id, label },
  identity,
}: {
  provider: Provider;
  identity: Identity | undefined;
}) {
  const link = async () => {
    const given = { path: { provider: id }, query: { return_to: pathOfPage() } };
    const { redirect } = await write('POST', '/api/auth/sign-in/{provider}/link', given);
    location.assign(redirect);
  };
  return (
    <Row>
      <span>
        <strong>{label}</strong>{' '}
        <span class="muted">{identity ? t.people.linkedAs(identity.name) : t.people.notLinked}</span>
      </span>
      {identity ? (
        <ConfirmButton
          look="plain"
          label={`${t.people.unlink}: ${label}`}
          title={t.people.unlinkTitle(label)}
          action={t.people.unlink}
          danger
          onConfirm={async () => {
            await write('DELETE', '/api/auth/identities/{identity_id}', {
              path: { identity_id: identity.id },
            });
            announce(t.people.unlinked(label));
            outdate('/api/auth/identities');
          }}
        >
          <p>{t.people.unlinkMeans}</p>
        </ConfirmButton>
      ) : (
        <ActionButton aria-label={`${t.people.link}: ${label}`} onAct={link}>
          {t.people.link}
        </ActionButton>
      )}
    </Row>
  );
}
