import { useLocation } from 'wouter-preact';
import { api } from '../../api/api.js';
import { answer } from '../../api/client.js';
import { t } from '../../i18n/messages.js';
import { ActionButton } from '../../ui/action-button.js';
import { announce } from '../../ui/announce.js';

/** Starts a backup and shows its job. */
export function BackUpNow({ id, name, primary = false }: { id: number; name: string; primary?: boolean }) {
  const [, navigate] = useLocation();
  return (
    <ActionButton
      look={primary ? 'primary' : 'plain'}
      aria-label={`${t.repository.backUpNow}: ${name}`}
      onAct={async () => {
        const body = { repository_id: id } as never;
        const { job_id } = await answer(api.POST('/api/backup/start', { body }));
        announce(t.repository.backupStarted(name));
        navigate(`/activity/${job_id}`);
      }}
    >
      {t.repository.backUpNow}
    </ActionButton>
  );
}
