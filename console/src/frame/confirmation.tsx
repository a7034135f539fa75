import { useState } from 'preact/hooks';
import { write } from '../api/api.js';
import { HoldfastError } from '../api/client.js';
import { confirmationAsked } from '../api/confirmation-request.js';
import { t } from '../i18n/messages.js';
import { useStore } from '../store.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { SecretField } from '../ui/field.js';
import { Row, Stack } from '../ui/layout.js';
import { ErrorNotice } from '../ui/notice.js';

export function ConfirmationDialog() {
  const settle = useStore(confirmationAsked);
  return settle ? <AskPassword settle={settle} /> : null;
}

function AskPassword({ settle }: { settle: (isConfirmed: boolean) => void }) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await write('POST', '/api/auth/confirm', { body: { password } });
      settle(true);
    } catch (reason) {
      setError(
        reason instanceof HoldfastError && reason.status === 400 ? new Error(t.frame.wrongPassword) : reason,
      );
      setBusy(false);
    }
  };
  return (
    <Dialog title={t.frame.confirmTitle} onClose={() => settle(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <Stack>
          <p>{t.frame.confirmLead}</p>
          <SecretField
            label={t.frame.password}
            autoComplete="current-password"
            autofocus
            value={password}
            onValue={setPassword}
          />
          {error ? <ErrorNotice error={error} /> : null}
          <Row end>
            <Button onClick={() => settle(false)}>{t.common.cancel}</Button>
            <Button type="submit" look="primary" busy={isBusy} disabled={password === ''}>
              {t.frame.confirm}
            </Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}
