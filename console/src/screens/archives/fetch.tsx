import { useLocation } from 'wouter-preact';
import { download } from '../../api/download.js';
import { useMayRestore } from '../../hub/may.js';
import { t } from '../../i18n/messages.js';
import { ActionButton } from '../../ui/action-button.js';
import { Button } from '../../ui/button.js';
import { restoreAddress } from '../restore/choice.rules.js';

interface FetchProps {
  repositoryId: number;
  archive: string;
  path: string;
  type: string;
  /** Whether the download is the main action. */
  isMain?: boolean;
}

export function Fetch({ repositoryId, archive, path, type, isMain = true }: FetchProps) {
  const [, navigate] = useLocation();
  const mayRestore = useMayRestore();
  const packing = type === 'file' ? null : 'zip';
  return (
    <>
      {mayRestore(repositoryId) && (
        <Button
          onClick={() => navigate(restoreAddress({ repositoryId, archive, paths: [path] }, sessionStorage))}
        >
          {t.archives.restore}
        </Button>
      )}
      <ActionButton
        look={isMain ? 'primary' : 'plain'}
        onAct={() => download({ repositoryId, archive, paths: [path], packing })}
      >
        {t.archives.download}
      </ActionButton>
    </>
  );
}
