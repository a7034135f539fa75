import { useQuery } from '@tanstack/preact-query';
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
import { PickFolder } from '../../../ui/folder-picker.js';
import { Form } from '../../../ui/form.js';
import { Facts, Row, Section, Stack } from '../../../ui/layout.js';
import { Notice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { Sentence } from '../../../ui/sentence.js';
import { Time, useMinute } from '../../../ui/time.js';
import { useAction } from '../../../ui/use-action.js';
import { Machine } from '../../add/what.js';
import { type Choice, isPlace, type OwnBackupView, stateOf, switchedOn } from './own-backup.rules.js';

/** For administrators. Its page loads the messages of `ownBackup`, `add` and `folders`. */
export function OwnBackup() {
  useMinute();
  const query = useQuery({ ...read('/api/system/own-backup'), staleTime: 0 });
  return (
    <Section title={t.ownBackup.title} card>
      <Stack>
        <p>{t.ownBackup.lead}</p>
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
  announce(body.enabled ? t.ownBackup.isOn : t.ownBackup.isOff);
}

function SwitchOn({ view }: { view: OwnBackupView }) {
  const [choice, setChoice] = useState<Choice>({ connection: null, place: '' });
  const action = useAction(() => put(switchedOn(view, choice)));
  const { connection, place } = choice;
  const isLocal = connection === null;
  return (
    <Form
      action={action}
      onSubmit={() => void action.run()}
      submit={t.ownBackup.switchOn}
      disabled={!isPlace(choice)}
    >
      <Machine value={connection} onValue={(next) => setChoice({ connection: next, place: '' })} />
      <TextField
        label={t.ownBackup.place}
        hint={isLocal ? t.ownBackup.placeHint : t.ownBackup.placeThereHint}
        error={errorAt(action.error, 'path')}
        value={place}
        placeholder={isLocal ? (view.suggested_path ?? undefined) : undefined}
        onValue={(next) => setChoice({ connection, place: next })}
        autoCapitalize="none"
        autoComplete="off"
        spellcheck={false}
      />
      <Row>
        <PickFolder
          title={t.ownBackup.place}
          connectionId={connection}
          start={place}
          onPick={(picked) =>
            setChoice({ connection, place: `${picked.replace(/\/$/, '')}/holdfast-own-backup` })
          }
        >
          {t.ownBackup.choose}
        </PickFolder>
      </Row>
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
        {t.ownBackup.states[state]}
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
      {same_disk && <Notice kind="warning">{t.ownBackup.sameDisk}</Notice>}
      <Facts
        facts={[
          [t.ownBackup.place, <bdi key="place">{path}</bdi>],
          [t.ownBackup.lastCopy, last_backup_at ? <Time key="last" at={last_backup_at} /> : t.ownBackup.none],
          [t.ownBackup.nextRun, next_run ? <Time key="next" at={next_run} /> : t.ownBackup.notPlanned],
        ]}
      />
      <Row>
        {view.enabled ? (
          <Button onClick={() => setAsking(true)}>{t.ownBackup.switchOff}</Button>
        ) : (
          <Button look="primary" busy={on.isBusy} onClick={() => void on.run()}>
            {t.ownBackup.switchOn}
          </Button>
        )}
        <Link href={`/repositories/${repository_id}`}>{t.ownBackup.toRepository}</Link>
      </Row>
      {isAsking && (
        <ConfirmDialog
          title={t.ownBackup.switchOffTitle}
          action={t.ownBackup.switchOff}
          danger
          onClose={() => setAsking(false)}
          onConfirm={() => put({ enabled: false })}
        >
          <p>{t.ownBackup.switchOffMeans}</p>
        </ConfirmDialog>
      )}
    </Stack>
  );
}
