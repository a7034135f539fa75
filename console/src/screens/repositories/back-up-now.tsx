import { useLocation } from 'wouter-preact';
import { startBackup } from '../../api/start-backup.js';
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
        const job = await startBackup(id);
        announce(t.repository.backupStarted(name));
        navigate(`/activity/${job}`);
      }}
    >
      {t.repository.backUpNow}
    </ActionButton>
  );
}
