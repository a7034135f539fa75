import { Download } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/client.js';
import { download } from '../../api/download.js';
import { bytes, moment } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ButtonLink, IconButton } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Stack } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { ErrorNotice } from '../../ui/notice.js';
import { useAction } from '../../ui/use-action.js';
import { Fetch } from '../archives/fetch.js';
import { browseAddress, parentOf } from '../browse/paths.rules.js';
import styles from './restore.module.css';
import { type Version, versionsOf } from './search.rules.js';

interface FoundProps {
  repository: { id: number; name: string };
  item: Schemas['RepositorySearch']['items'][number];
  starts: ReadonlyMap<string, string>;
  /** Says which repository it is in. */
  isNamed: boolean;
}

/** A path that was found: the newest version is one button away, the others one dialog. */
export function FoundFile({ repository, item, starts, isNamed }: FoundProps) {
  const repositoryId = repository.id;
  const [isOpen, setOpen] = useState(false);
  const versions = versionsOf(item, starts);
  const newest = versions[0] as Version;
  const { run, isBusy, error } = useAction(() =>
    download({
      repositoryId,
      archive: newest.archive,
      paths: [item.path],
      packing: newest.type === 'file' ? null : 'zip',
    }),
  );
  return (
    <ListItem
      title={
        <button type="button" translate={false} class={styles.found} onClick={() => setOpen(true)}>
          <bdi>{item.name}</bdi>
        </button>
      }
      note={
        <>
          {isNamed && (
            <>
              <bdi>{repository.name}</bdi>:{' '}
            </>
          )}
          <bdi>{parentOf(item.path) || '/'}</bdi>
          <br />
          {factsOf(newest)}
          {versions.length > 1 && <> · {t.restore.versions(versions.length)}</>}
          {item.name_escaped && <> · {t.restore.escaped}</>}
          {error ? <ErrorNotice error={error} /> : null}
        </>
      }
      actions={
        <>
          <IconButton label={t.restore.downloadOf(item.name)} aria-busy={isBusy} onClick={() => void run()}>
            <Download aria-hidden="true" size={20} />
          </IconButton>
          {isOpen && (
            <Dialog title={item.name} onClose={() => setOpen(false)} wide>
              <Stack>
                <p class={styles.path}>
                  <bdi>{item.path}</bdi>
                </p>
                <List label={t.restore.versionsOf(item.name)}>
                  {versions.map((version) => (
                    <VersionRow
                      key={version.archive}
                      repositoryId={repositoryId}
                      path={item.path}
                      version={version}
                    />
                  ))}
                </List>
              </Stack>
            </Dialog>
          )}
        </>
      }
    />
  );
}

const factsOf = ({ type, size, mtime }: Version): string =>
  [type === 'directory' ? t.restore.folder : bytes(size), mtime && t.restore.modified(moment(mtime))]
    .filter(Boolean)
    .join(' · ');

interface VersionProps {
  repositoryId: number;
  path: string;
  version: Version;
}

const VersionRow = ({ repositoryId, path, version }: VersionProps) => (
  <ListItem
    title={factsOf(version)}
    note={t.restore.inArchives(
      version.count,
      version.start === null ? version.archive : moment(version.start),
    )}
    actions={
      <span class={styles.buttons}>
        <ButtonLink
          look="quiet"
          href={browseAddress(
            repositoryId,
            version.archive,
            version.type === 'directory' ? path : parentOf(path),
          )}
        >
          {t.restore.showFolder}
        </ButtonLink>
        <Fetch repositoryId={repositoryId} archive={version.archive} path={path} type={version.type} />
      </span>
    }
  />
);
