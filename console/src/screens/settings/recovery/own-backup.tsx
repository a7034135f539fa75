import { useQuery } from '@tanstack/preact-query';
import { FolderOpen } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { api, read } from '../../../api/api.js';
import { answer } from '../../../api/client.js';
import { outdate } from '../../../api/query-client.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { FolderPicker } from '../../../ui/folder-picker.js';
import { Form } from '../../../ui/form.js';
import { Facts, Row, Section, Stack } from '../../../ui/layout.js';
import { Notice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { Sentence } from '../../../ui/sentence.js';
import { Time, useMinute } from '../../../ui/time.js';
import { useAction } from '../../../ui/use-action.js';
import { Machine } from '../../add/what.js';
import { type Choice, isPlace, type OwnBackupView, stateOf, switchedOn } from './own-backup.rules.js';

const words = () => t['own-backup'];

/** For administrators. Its page loads the messages of `own-backup`, `add` and `folders`. */
export function OwnBackup() {
  useMinute();
  const query = useQuery({ ...read('/api/system/own-backup'), staleTime: 0 });
  return (
    <Section title={words().title} card>
      <Stack>
        <p>{words().lead}</p>
        <QueryView query={query} lines={2}>
          {(view) => (view.repository_id === null ? <SwitchOn view={view} /> : <Existing view={view} />)}
        </QueryView>
      </Stack>
    </Section>
  );
}

async function put(body: ReturnType<typeof switchedOn>): Promise<void> {
  await answer(api.PUT('/api/system/own-backup', { body }));
  outdate('/api/system/own-backup', '/api/repositories', '/api/schedule', '/api/overview');
  announce(body.enabled ? words().isOn : words().isOff);
}

function SwitchOn({ view }: { view: OwnBackupView }) {
  const [choice, setChoice] = useState<Choice>({ connection: null, place: '' });
  const [isPicking, setPicking] = useState(false);
  const action = useAction(() => put(switchedOn(view, choice)));
  const { connection, place } = choice;
  const isLocal = connection === null;
  return (
    <Form
      action={action}
      onSubmit={() => void action.run()}
      submit={words().switchOn}
      disabled={!isPlace(choice)}
    >
      <Machine value={connection} onValue={(next) => setChoice({ connection: next, place: '' })} />
      <TextField
        label={words().place}
        hint={isLocal ? words().placeHint : words().placeThereHint}
        error={errorAt(action.error, 'path')}
        value={place}
        placeholder={isLocal ? (view.suggested_path ?? undefined) : undefined}
        onValue={(next) => setChoice({ connection, place: next })}
        autoCapitalize="none"
        autoComplete="off"
        spellcheck={false}
      />
      <Row>
        <Button icon={<FolderOpen aria-hidden="true" />} onClick={() => setPicking(true)}>
          {words().choose}
        </Button>
      </Row>
      {isPicking && (
        <FolderPicker
          title={words().place}
          connectionId={connection}
          start={place.startsWith('/') ? place : '/'}
          onPick={(picked) =>
            setChoice({ connection, place: `${picked.replace(/\/$/, '')}/holdfast-own-backup` })
          }
          onClose={() => setPicking(false)}
        />
      )}
    </Form>
  );
}

function Existing({ view }: { view: OwnBackupView }) {
  const { repository_id, path, last_backup_at, next_run, same_disk } = view;
  const [isAsking, setAsking] = useState(false);
  const on = useAction(() => put({ enabled: true }));
  const state = stateOf(view, Date.now());
  return (
    <Stack>
      <Notice kind={state === 'well' || state === 'waiting' ? 'info' : 'warning'}>
        {words().states[state]}
      </Notice>
      {state === 'failing' && (
        <p>
          <Sentence
            code={view.last_error_code}
            params={view.last_error_params}
            text={view.last_error ?? ''}
          />
        </p>
      )}
      {same_disk && <Notice kind="warning">{words().sameDisk}</Notice>}
      <Facts
        facts={[
          [words().place, <bdi key="place">{path}</bdi>],
          [words().lastCopy, last_backup_at ? <Time key="last" at={last_backup_at} /> : words().none],
          [words().nextRun, next_run ? <Time key="next" at={next_run} /> : words().notPlanned],
        ]}
      />
      <Row>
        {view.enabled ? (
          <Button onClick={() => setAsking(true)}>{words().switchOff}</Button>
        ) : (
          <Button look="primary" busy={on.isBusy} onClick={() => void on.run()}>
            {words().switchOn}
          </Button>
        )}
        <Link href={`/repositories/${repository_id}`}>{words().toRepository}</Link>
      </Row>
      {isAsking && (
        <ConfirmDialog
          title={words().switchOffTitle}
          action={words().switchOff}
          danger
          onClose={() => setAsking(false)}
          onConfirm={() => put({ enabled: false })}
        >
          <p>{words().switchOffMeans}</p>
        </ConfirmDialog>
      )}
    </Stack>
  );
}
