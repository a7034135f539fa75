import { X } from 'lucide-preact';
import { useLocation } from 'wouter-preact';
import { download } from '../../api/download.js';
import { useMayRestore } from '../../hub/may.js';
import { bytes, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button, IconButton } from '../../ui/button.js';
import { ErrorNotice } from '../../ui/notice.js';
import { useAction } from '../../ui/use-action.js';
import { restoreAddress } from '../restore/choice.rules.js';
import styles from './browse.module.css';
import { manyPaths, mostPaths, type Selection, sizeOf } from './selection.rules.js';

interface BarProps {
  repositoryId: number;
  archive: string;
  selection: Selection;
  /** The only chosen entry is a file: it comes as it is. */
  isOneFile: boolean;
  clear: () => void;
}

/** The selection and its actions, always visible. */
export function SelectionBar({ repositoryId, archive, selection, isOneFile, clear }: BarProps) {
  const [, navigate] = useLocation();
  const mayRestore = useMayRestore();
  const paths = [...selection.keys()];
  const fetch = useAction(() =>
    download({ repositoryId, archive, paths, packing: isOneFile ? null : 'zip' }),
  );
  const size = sizeOf(selection);
  return (
    <section class={styles.bar} aria-label={t.browse.selection}>
      <div class={styles.count}>
        <IconButton label={t.browse.clear} onClick={clear}>
          <X aria-hidden="true" size={20} />
        </IconButton>
        <p role="status">
          {t.browse.chosen(paths.length, number(paths.length), size === null ? null : bytes(size))}
          {paths.length >= manyPaths && <> · {t.browse.atMost(number(mostPaths))}</>}
        </p>
      </div>
      <div class={styles.buttons}>
        {mayRestore(repositoryId) && (
          <Button onClick={() => navigate(restoreAddress({ repositoryId, archive, paths }, sessionStorage))}>
            {t.archives.restore}
          </Button>
        )}
        <Button look="primary" busy={fetch.isBusy} onClick={() => void fetch.run()}>
          {t.archives.download}
        </Button>
      </div>
      {fetch.error ? <ErrorNotice error={fetch.error} /> : null}
    </section>
  );
}
