import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { download, type Packing } from '../../api/download.js';
import { t } from '../../i18n/messages.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { RadioGroup } from '../../ui/field.js';
import { Row, Stack } from '../../ui/layout.js';
import { ErrorNotice, Notice } from '../../ui/notice.js';
import { QueryView } from '../../ui/query-view.js';
import { useAction } from '../../ui/use-action.js';
import { archivesQuery } from '../archives/archives-query.js';
import { repositoryQuery } from '../repositories/repository-page.js';
import type { Choice } from './choice.rules.js';
import { Chosen } from './chosen.js';

const large = 2_000_000_000;

/** For users who may not restore to a folder. */
export function DownloadOnly({ choice }: { choice: Choice }) {
  const query = useQuery(repositoryQuery(choice.repositoryId));
  return (
    <QueryView query={query} gone={t.restore.repositoryGone}>
      {({ repository }) => (
        <Stack>
          <Chosen choice={choice} repository={repository.name} />
          <DownloadForm choice={choice} />
        </Stack>
      )}
    </QueryView>
  );
}

/** The selection as one file for the browser; writes nothing on the server. */
export function DownloadForm({ choice: { repositoryId, archive, paths } }: { choice: Choice }) {
  const [packing, setPacking] = useState<Packing>('zip');
  const [isBegun, setBegun] = useState(false);
  const { run, isBusy, error } = useAction(async () => {
    await download({ repositoryId, archive, paths, packing });
    setBegun(true);
  });
  const archives = useQuery(archivesQuery(repositoryId)).data?.archives;
  const size = archives?.find(({ name, id }) => name === archive || id === archive)?.original_size ?? 0;
  return (
    <Stack>
      {paths.includes('') && size > large && <Notice kind="warning">{t.restore.largeDownload}</Notice>}
      <RadioGroup
        legend={t.restore.packing}
        value={packing}
        onValue={setPacking}
        options={[
          { value: 'zip', label: t.restore.zip, hint: t.restore.zipHint },
          { value: 'tar.gz', label: t.restore.tar, hint: t.restore.tarHint },
        ]}
      />
      {error ? <ErrorNotice error={error} /> : null}
      {isBegun && (
        <Notice kind="good" live>
          {t.restore.downloadBegun}
        </Notice>
      )}
      <Row end>
        <ButtonLink href="/restore" look="quiet">
          {t.restore.chooseOther}
        </ButtonLink>
        <Button look="primary" busy={isBusy} onClick={() => void run()}>
          {t.archives.download}
        </Button>
      </Row>
    </Stack>
  );
}
