import { useLocation } from 'wouter-preact';
import { download } from '../../api/download.js';
import { user as signedIn } from '../../hub/link.js';
import { t } from '../../i18n/messages.js';
import { useStore } from '../../store.js';
import { Button } from '../../ui/button.js';
import { ErrorNotice } from '../../ui/notice.js';
import { useAction } from '../../ui/use-action.js';
import { restoreAddress } from '../restore/choice.rules.js';

interface FetchProps {
  repositoryId: number;
  archive: string;
  path: string;
  type: string;
}

/** Download or restore of one entry as it is in one archive. */
export function Fetch({ repositoryId, archive, path, type }: FetchProps) {
  const [, navigate] = useLocation();
  const isAdmin = useStore(signedIn)?.is_admin;
  const packing = type === 'file' ? null : 'zip';
  const { run, isBusy, error } = useAction(() => download({ repositoryId, archive, paths: [path], packing }));
  return (
    <>
      {isAdmin && (
        <Button
          onClick={() => navigate(restoreAddress({ repositoryId, archive, paths: [path] }, sessionStorage))}
        >
          {t.archives.restore}
        </Button>
      )}
      <Button look="primary" busy={isBusy} onClick={() => void run()}>
        {t.archives.download}
      </Button>
      {error ? <ErrorNotice error={error} /> : null}
    </>
  );
}
