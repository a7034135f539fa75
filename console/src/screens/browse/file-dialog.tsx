import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { useIsAdmin } from '../../hub/is-admin.js';
import { bytes, exactly } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ActionButton } from '../../ui/action-button.js';
import { ButtonLink } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Facts, Row, Stack } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { useSourceKinds } from '../../ui/source-names.js';
import { Fetch } from '../archives/fetch.js';
import { dumpAt } from './dump.rules.js';
import type { Entry } from './folder.js';
import { parentOf } from './paths.rules.js';
import type { PreviewProps } from './preview.js';
import type { RestoreDumpProps } from './restore-dump.js';

interface DialogProps {
  repositoryId: number;
  archive: string;
  entry: Entry;
  onClose: () => void;
}

/** Details of a file, link or special file, its preview and its download. */
export function FileDialog({ repositoryId, archive, entry, onClose }: DialogProps) {
  const { name, path, type, size, mtime, symlink_target, hard_link_target, healthy } = entry;
  const history = `/repositories/${repositoryId}/history?${new URLSearchParams({ path })}`;
  const [Preview, setPreview] = useState<ComponentType<PreviewProps>>();
  const dump = useDump(entry);
  const [Restore, setRestore] = useState<ComponentType<RestoreDumpProps>>();
  const turn = async () => {
    const loaded = Preview ? undefined : (await import('./preview.js')).default;
    setPreview(() => loaded);
  };
  return (
    <Dialog title={dump?.name ?? name} onClose={onClose} wide={Preview !== undefined}>
      <Stack>
        {!healthy && <Notice kind="error">{t.browse.damagedMeans}</Notice>}
        {entry.name_escaped && <p>{t.browse.escapedMeans}</p>}
        <Facts
          facts={[
            type === 'symlink' ? null : [t.browse.size, bytes(size)],
            mtime === null ? null : [t.browse.modified, exactly(mtime)],
            [t.browse.where, <bdi key="folder">{parentOf(path)}</bdi>],
            symlink_target ? [t.browse.target, <bdi key="target">{symlink_target}</bdi>] : null,
            hard_link_target ? [t.browse.sameAs, <bdi key="same">{hard_link_target}</bdi>] : null,
          ]}
        />
        {Preview && <Preview {...{ repositoryId, archive, entry }} />}
        <Row end>
          {type === 'file' && healthy && size > 0 && (
            <ActionButton aria-expanded={Preview !== undefined} onAct={turn}>
              {t.browse.preview}
            </ActionButton>
          )}
          <ButtonLink href={history} look="quiet">
            {t.browse.otherVersions}
          </ButtonLink>
          {healthy && <Fetch {...{ repositoryId, archive, path, type }} isMain={!dump?.restores} />}
          {dump?.restores && (
            <ActionButton
              look="primary"
              onAct={async () => {
                const loaded = (await import('./restore-dump.js')).default;
                setRestore(() => loaded);
              }}
            >
              {t.browse.dump.open}
            </ActionButton>
          )}
        </Row>
      </Stack>
      {Restore && dump && (
        <Restore {...{ repositoryId, archive, path, dump }} onClose={() => setRestore(undefined)} />
      )}
    </Dialog>
  );
}

/** The dump that the file is; `restores`: it can be restored into a database. */
function useDump({ path, type, healthy }: Entry) {
  const isAdmin = useIsAdmin();
  const { kinds } = useSourceKinds();
  const dump = type === 'file' ? dumpAt(path) : null;
  const canRestore = kinds.some(({ id, restores }) => restores && id === dump?.kind);
  return dump && { ...dump, restores: isAdmin && healthy && canRestore };
}
