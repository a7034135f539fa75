import { useEffect, useState } from 'preact/hooks';
import { read, write } from '../api/api.js';
import { t } from '../i18n/messages.js';
import { listProviders, type Provider, pathOfPage } from '../shell/providers.js';
import { ActionButton } from '../ui/action-button.js';
import { Dialog } from '../ui/dialog.js';
import { Stack } from '../ui/layout.js';

/** For users without a password. What they wanted to do is to be started again when they come back. */
export default function ConfirmAtProvider({ onClose }: { onClose: () => void }) {
  const [providers, setProviders] = useState<Provider[]>();
  useEffect(() => {
    const own = Promise.all([listProviders(), read('/api/auth/identities').queryFn({})]);
    void own.then(([all, identities]) =>
      setProviders(all.filter(({ id }) => identities.some(({ provider }) => provider === id))),
    );
  }, []);
  if (!providers) return null;
  const confirm = async (provider: string) => {
    const given = { path: { provider }, query: { return_to: pathOfPage() } };
    const { redirect } = await write('POST', '/api/auth/sign-in/{provider}/confirm', given);
    location.assign(redirect);
  };
  return (
    <Dialog title={t.people.confirmTitle} onClose={onClose}>
      <Stack>
        <p>{providers.length > 0 ? t.people.confirmLead : t.people.confirmNowhere}</p>
        {providers.map(({ id, label }) => (
          <ActionButton key={id} look="primary" onAct={() => confirm(id)}>
            {t.people.confirmWith(label)}
          </ActionButton>
        ))}
      </Stack>
    </Dialog>
  );
}
