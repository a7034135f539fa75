import { useRead } from '../../api/api.js';
import { bytes, duration, exactly, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { extractCommand, listCommand } from '../../ui/borg.rules.js';
import { Copyable } from '../../ui/copy.js';
import { Dialog } from '../../ui/dialog.js';
import { Facts, Section, Stack } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { QueryView } from '../../ui/query-view.js';
import { command } from '../../ui/shell.rules.js';
import { SourceNames } from '../../ui/source-names.js';
import type { Archive } from './archives-query.js';
import { pinText } from './pin.js';

interface DetailsProps {
  repositoryId: number;
  archive: Archive;
  onClose: () => void;
}

/** Details of an archive from the tool, requested only when opened. */
export function ArchiveDetails({ repositoryId, archive, onClose }: DetailsProps) {
  const query = useRead('/api/archives/{archive_id}/info', {
    path: { archive_id: archive.id },
    query: { repository_id: repositoryId },
  });
  return (
    <Dialog title={archive.name} onClose={onClose} wide>
      <QueryView query={query} lines={5}>
        {({ info }) => (
          <Stack>
            {info.damaged && <Notice kind="error">{t.archives.damaged}</Notice>}
            <Facts
              facts={[
                [t.activity.started, exactly(info.start)],
                [t.activity.took, duration(info.duration)],
                [t.activity.files, number(info.stats.nfiles)],
                [t.archives.original, bytes(info.stats.original_size)],
                [t.archives.compressed, bytes(info.stats.compressed_size)],
                [t.archives.onlyHere, bytes(info.stats.deduplicated_size)],
                [
                  t.archives.madeOn,
                  <bdi key="host">
                    {info.username}@{info.hostname}
                  </bdi>,
                ],
                info.pinned
                  ? [t.archives.pinned, <bdi key="pin">{`${pinText(info.pinned)}, ${info.pinned.by}`}</bdi>]
                  : null,
                info.comment === '' ? null : [t.archives.comment, <bdi key="comment">{info.comment}</bdi>],
                [t.archives.identity, <code key="id">{info.id}</code>],
                archive.sources?.length
                  ? [t.sources.databases.title, <SourceNames key="sources" sources={archive.sources} />]
                  : null,
              ]}
            />
            <Copyable label={t.frame.kinds.command} text={command(...info.command_line)} />
            <WithoutHoldfast repositoryId={repositoryId} archive={archive} />
          </Stack>
        )}
      </QueryView>
    </Dialog>
  );
}

function WithoutHoldfast({ repositoryId, archive }: Omit<DetailsProps, 'onClose'>) {
  const query = useRead('/api/repositories/{repo_id}', { path: { repo_id: repositoryId } });
  const place = query.data?.repository.path;
  if (!place) return null;
  return (
    <Section title={t.common.withBorg}>
      <Copyable label="borg list" text={listCommand(place, archive.name)} />
      <Copyable label="borg extract" text={extractCommand(place, archive.name)} />
    </Section>
  );
}
