import { useEffect, useState } from 'preact/hooks';
import { base } from '../../base.js';
import { loadMore, t } from '../../i18n/messages.js';
import { listProviders, type Provider, pathOfPage, signInError } from '../../shell/providers.js';
import { Button } from '../../ui/button.js';
import { Stack } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';

/** A button for each provider, and why the last visit to one failed. */
export default function Providers() {
  const [providers, setProviders] = useState<Provider[]>([]);
  useEffect(() => {
    void listProviders().then(async (found) => {
      if (found.length > 0) await loadMore();
      setProviders(found);
    });
  }, []);
  if (providers.length === 0) return null;
  const error = signInError();
  return (
    <Stack>
      {error && (
        <Notice kind="error" live>
          {error}
        </Notice>
      )}
      {providers.map(({ id, label }) => (
        <Button
          key={id}
          wide
          onClick={() => {
            const to = new URLSearchParams({ return_to: pathOfPage() });
            location.assign(`${base}/api/auth/sign-in/${id}/start?${to}`);
          }}
        >
          {t.people.signInWith(label)}
        </Button>
      ))}
    </Stack>
  );
}
