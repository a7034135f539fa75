import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { bytes, exactly } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ActionButton } from '../../ui/action-button.js';
import { ButtonLink } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Facts, Row, Stack } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { Fetch } from '../archives/fetch.js';
import type { Entry } from './folder.js';
import { parentOf } from './paths.rules.js';
import type { PreviewProps } from './preview.js';

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
  const turn = async () => {
    const loaded = Preview ? undefined : (await import('./preview.js')).default;
    setPreview(() => loaded);
  };
  return (
    <Dialog title={name} onClose={onClose} wide={Preview !== undefined}>
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
          {healthy && <Fetch repositoryId={repositoryId} archive={archive} path={path} type={type} />}
        </Row>
      </Stack>
    </Dialog>
  );
}
