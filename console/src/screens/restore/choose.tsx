import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { read } from '../../api/api.js';
import { useMay, useMayRestore } from '../../hub/may.js';
import { moment } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { SelectField, TextField } from '../../ui/field.js';
import { Empty, Row, Section, Stack } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { cursorOf } from '../archives/archives.rules.js';
import { archivesQuery } from '../archives/archives-query.js';
import { browseAddress } from '../browse/paths.rules.js';
import { restoreAddress } from './choice.rules.js';
import { FileSearch } from './file-search.js';
import styles from './restore.module.css';

type Repository = { id: number; name: string };

/** Three doors: a file by its name, a folder by its date, or everything of an archive. */
export function Choose({ parameters }: { parameters: URLSearchParams }) {
  const query = useQuery(read('/api/repositories/'));
  const may = useMay();
  return (
    <QueryView query={query} lines={5}>
      {(data) => {
        const repositories = data.repositories.filter(({ id }) => may('restore', id));
        return repositories.length === 0 ? (
          <Empty>{t.restore.noRepository}</Empty>
        ) : (
          <>
            <ByName repositories={repositories} parameters={parameters} />
            {!parameters.get('find') && <ByDate repositories={repositories} parameters={parameters} />}
          </>
        );
      }}
    </QueryView>
  );
}

interface DoorProps {
  repositories: readonly Repository[];
  parameters: URLSearchParams;
}

const named = (repositories: readonly Repository[]) =>
  repositories.map(({ id, name }) => [String(id), name] as const);

function ByName({ repositories, parameters }: DoorProps) {
  const [, navigate] = useLocation();
  const find = parameters.get('find') ?? '';
  const [text, setText] = useState(find);
  const [only, setOnly] = useState(parameters.get('repository') ?? '');
  useEffect(() => setText(find), [find]);
  const search = (event: Event) => {
    event.preventDefault();
    const wanted = { find: text.trim(), ...(only && { repository: only }) };
    if (wanted.find) navigate(`/restore?${new URLSearchParams(wanted)}`);
  };
  const searched = parameters.get('repository') ?? '';
  return (
    <Section title={t.restore.byName} card>
      <form class={styles.search} role="search" onSubmit={search}>
        <TextField
          type="search"
          label={t.restore.nameOfFile}
          hint={t.restore.nameHint}
          value={text}
          onValue={setText}
          exact
          enterKeyHint="search"
          maxLength={256}
        />
        {repositories.length > 1 && (
          <SelectField
            label={t.frame.kinds.repository}
            value={only}
            onValue={setOnly}
            options={[['', t.notifications.allRepositories], ...named(repositories)]}
          />
        )}
        <Button type="submit" look="primary">
          {t.common.search}
        </Button>
      </form>
      {find && (
        <FileSearch key={`${find} ${searched}`} text={find} repositoryId={Number(searched) || undefined} />
      )}
    </Section>
  );
}

function ByDate({ repositories, parameters }: DoorProps) {
  const [, navigate] = useLocation();
  const mayRestore = useMayRestore();
  const [chosen, setChosen] = useState(parameters.get('repository') ?? String(repositories[0]?.id));
  const [day, setDay] = useState('');
  const [name, setName] = useState(parameters.get('archive') ?? '');
  const repositoryId = Number(chosen);
  const archives = useQuery(archivesQuery(repositoryId));
  const end = Number.parseInt(cursorOf(day) ?? '', 10) || Number.POSITIVE_INFINITY;
  const offered = (archives.data?.archives ?? []).filter(({ start }) => Date.parse(start) < end).toReversed();
  const archive = offered.some((one) => one.name === name) ? name : (offered[0]?.name ?? '');
  return (
    <Section title={t.restore.byDate} card>
      <Stack>
        <div class={styles.fields}>
          <SelectField
            label={t.frame.kinds.repository}
            value={chosen}
            onValue={setChosen}
            options={named(repositories)}
          />
          <TextField type="date" label={t.archives.day} value={day} onValue={setDay} />
          <SelectField
            label={t.activity.archive}
            value={archive}
            onValue={setName}
            options={offered.map((one) => [one.name, moment(one.start)] as const)}
          />
        </div>
        {archives.data && offered.length === 0 && <p role="status">{t.restore.noArchive}</p>}
        <Row>
          <Button
            look="primary"
            disabled={archive === ''}
            onClick={() => navigate(browseAddress(repositoryId, archive))}
          >
            {t.restore.chooseFiles}
          </Button>
          <Button
            disabled={archive === ''}
            onClick={() => navigate(restoreAddress({ repositoryId, archive, paths: [''] }, sessionStorage))}
          >
            {mayRestore(repositoryId) ? t.restore.everything : t.restore.downloadEverything}
          </Button>
        </Row>
      </Stack>
    </Section>
  );
}
