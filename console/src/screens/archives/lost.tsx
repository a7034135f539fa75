import type { Schemas } from '../../api/client.js';
import { bytes, number, percent } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { DataList } from '../../ui/data-list.js';
import { More } from '../../ui/more.js';
import { Notice } from '../../ui/notice.js';
import { Meter } from '../../ui/progress.js';
import { lostInWords } from './lost-words.js';

type LostFiles = Schemas['LostFiles'];

/** The files of which no other archive has a version: how many, where, and the largest. */
export default function Lost({ lost }: { lost: LostFiles | null }) {
  const { byFolder, largest } = t.maintenance.lost;
  const words = lostInWords(lost);
  if (lost === null) return <p class="muted small">{words}</p>;
  if (lost.files === 0)
    return (
      <Notice kind={lost.not_indexed > 0 ? 'info' : 'good'} live>
        {words}
      </Notice>
    );
  const share = (part: number) => (100 * part) / (lost.bytes || 1);
  return (
    <>
      <Notice kind="warning" live>
        {words}
      </Notice>
      <DataList
        label={byFolder}
        isPart
        rows={lost.folders}
        keyOf={({ path }) => path}
        columns={(of) => [
          of.name(({ path }) => `/${path}`, byFolder),
          {
            key: 'share',
            head: '%',
            width: '6rem',
            cell: ({ bytes: part }) => <Meter percent={share(part)} label={percent(share(part))} />,
          },
          of.figure('files', t.activity.files, ({ files }) => files, number),
          of.figure('size', t.browse.size, (folder) => folder.bytes, bytes, '5rem'),
        ]}
      />
      <More label={largest}>
        <DataList
          label={largest}
          isPart
          rows={lost.largest}
          keyOf={({ path }) => path}
          columns={(of) => [
            of.name(({ path }) => `/${path}`),
            of.text('archive', t.activity.archive, ({ archive }) => archive, { named: true }),
            of.figure('size', t.browse.size, ({ size }) => size, bytes, '5rem'),
          ]}
        />
      </More>
    </>
  );
}
