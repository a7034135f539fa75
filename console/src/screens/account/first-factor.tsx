import { useEffect, useRef, useState } from 'preact/hooks';
import { canUsePasskeys } from '../../api/passkeys.js';
import { ask, renewUser } from '../../hub/link.js';
import type { User } from '../../hub/protocol.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Stack } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { AddPasskey } from './add-passkey.js';
import { SetUpApp } from './set-up-app.js';

/** An app or a passkey, before anything else. */
export default function FirstFactor({ user }: { user: User }) {
  const [kind, setKind] = useState<'app' | 'passkey' | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t.common.pageTitle(t.account.firstTitle);
    heading.current?.focus();
  }, [kind]);
  const steps = { onDone: renewUser, onCancel: () => setKind(null) };
  const title = { app: t.account.setUpApp, passkey: t.account.addPasskey };
  return (
    <Stack>
      <h1 ref={heading} tabIndex={-1}>
        {kind ? title[kind] : t.account.firstTitle}
      </h1>
      {kind === 'app' && <SetUpApp {...steps} />}
      {kind === 'passkey' && <AddPasskey {...steps} />}
      {kind === null && (
        <>
          <p>{t.account.firstLead}</p>
          <Button wide look="primary" onClick={() => setKind('app')}>
            {t.account.app}
          </Button>
          <p class="muted">{t.account.appFor}</p>
          <Button wide disabled={!canUsePasskeys()} onClick={() => setKind('passkey')}>
            {t.account.addPasskey}
          </Button>
          {canUsePasskeys() ? (
            <p class="muted">{t.account.passkeysFor}</p>
          ) : (
            <Notice>{t.account.noPasskeysHere}</Notice>
          )}
          <Button wide look="quiet" onClick={() => void ask('signOut')}>
            {t.frame.signOut(user.username)}
          </Button>
        </>
      )}
    </Stack>
  );
}
