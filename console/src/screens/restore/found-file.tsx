import { Download as DownloadIcon } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/client.js';
import { download } from '../../api/download.js';
import { bytes, moment } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ButtonLink, IconButton } from '../../ui/button.js';
import { DataList } from '../../ui/data-list.js';
import { Dialog } from '../../ui/dialog.js';
import { Stack } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { ErrorNotice } from '../../ui/notice.js';
import { useAction } from '../../ui/use-action.js';
import { Fetch } from '../archives/fetch.js';
import { browseAddress, parentOf } from '../browse/paths.rules.js';
import styles from './restore.module.css';
import type { Version } from './search.rules.js';

export interface Found {
  repository: { id: number; name: string };
  item: Schemas['RepositorySearch']['items'][number];
  /** The newest first. */
  versions: Version[];
}

/** Paths that were found: the newest version is one button away, the others one dialog. */
export const FoundFiles = ({ found, isGrouped }: { found: readonly Found[]; isGrouped: boolean }) => (
  <DataList
    label={t.restore.filesFound}
    name="file"
    rows={found}
    keyOf={({ repository, item }) => `${repository.id} ${item.path}`}
    groupOf={({ repository: { id, name } }) => [`${id}`, isGrouped && <bdi>{name}</bdi>]}
    columns={(of) => [
      {
        key: 'name',
        head: t.common.name,
        sort: ({ item }) => item.name,
        text: ({ item }) => item.name,
        cell: (one) => <Name found={one} />,
      },
      of.text('folder', t.browse.where, ({ item }) => parentOf(item.path) || '/'),
      of.figure('size', t.repository.columns.size, sizeOf, bytes, '5rem'),
      of.text('at', t.browse.modified, ({ versions: [one] }) => one?.mtime && moment(one.mtime), {
        sort: ({ versions: [one] }) => one?.mtime ?? null,
      }),
    ]}
    actions={(one) => <Download found={one} />}
    below={({ item, versions }) =>
      [versions.length > 1 && t.restore.versions(versions.length), item.name_escaped && t.browse.escaped]
        .filter(Boolean)
        .join(' · ')
    }
  />
);

const sizeOf = ({ versions }: Found) => (versions[0]?.type === 'directory' ? null : versions[0]?.size);

function Name({ found: { repository, item, versions } }: { found: Found }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" translate={false} class={styles.found} onClick={() => setOpen(true)}>
        <bdi>{item.name}</bdi>
      </button>
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
                  repositoryId={repository.id}
                  path={item.path}
                  version={version}
                />
              ))}
            </List>
          </Stack>
        </Dialog>
      )}
    </>
  );
}

function Download({ found: { repository, item, versions } }: { found: Found }) {
  const newest = versions[0] as Version;
  const { run, isBusy, error } = useAction(() =>
    download({
      repositoryId: repository.id,
      archive: newest.archive,
      paths: [item.path],
      packing: newest.type === 'file' ? null : 'zip',
    }),
  );
  return (
    <>
      {error ? <ErrorNotice error={error} /> : null}
      <IconButton label={t.browse.downloadOf(item.name)} aria-busy={isBusy} onClick={() => void run()}>
        <DownloadIcon aria-hidden="true" size={20} />
      </IconButton>
    </>
  );
}

const factsOf = ({ type, size, mtime }: Version): string =>
  [type === 'directory' ? t.browse.where : bytes(size), mtime && t.restore.modified(moment(mtime))]
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
