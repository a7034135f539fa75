import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { outdate, read, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { ActionButton } from '../../../ui/action-button.js';
import { announce } from '../../../ui/announce.js';
import { ConfirmButton } from '../../../ui/dialog.js';
import { errorAt, TextField } from '../../../ui/field.js';
import { PickFolder } from '../../../ui/folder-picker.js';
import { Form, useAction } from '../../../ui/form.js';
import { Facts, Row, Section, Stack } from '../../../ui/layout.js';
import { lastErrorOf, Notice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { Time, useMinute } from '../../../ui/time.js';
import { Machine } from '../../add/what.js';
import { type Choice, isPlace, type SelfBackupView, stateOf, switchedOn } from './self-backup.rules.js';

/** For administrators. Its page loads the messages of `selfBackup`, `add` and `folders`. */
export function SelfBackup() {
  useMinute();
  const query = useQuery({ ...read('/api/system/self-backup'), staleTime: 0 });
  return (
    <Section title={t.selfBackup.title} card>
      <Stack>
        <p>{t.selfBackup.lead}</p>
        <QueryView query={query} lines={2}>
          {(view) => (view.repository_id === null ? <SwitchOn view={view} /> : <Existing view={view} />)}
        </QueryView>
      </Stack>
    </Section>
  );
}

async function put(body: ReturnType<typeof switchedOn>): Promise<void> {
  await write('PUT', '/api/system/self-backup', { body });
  outdate(
    '/api/system/self-backup',
    '/api/recovery-sheet',
    '/api/repositories',
    '/api/schedule',
    '/api/overview',
  );
  announce(body.enabled ? t.selfBackup.isOn : t.selfBackup.isOff);
}

function SwitchOn({ view }: { view: SelfBackupView }) {
  const [choice, setChoice] = useState<Choice>({ connection: null, place: '' });
  const action = useAction(() => put(switchedOn(view, choice)));
  const { connection, place } = choice;
  const isLocal = connection === null;
  return (
    <Form
      action={action}
      onSubmit={() => void action.run()}
      submit={t.selfBackup.switchOn}
      disabled={!isPlace(choice)}
    >
      <Machine value={connection} onValue={(next) => setChoice({ connection: next, place: '' })} />
      <TextField
        label={t.selfBackup.place}
        hint={isLocal ? t.selfBackup.placeHint : t.selfBackup.placeThereHint}
        error={errorAt(action.error, 'path')}
        value={place}
        placeholder={isLocal ? (view.suggested_path ?? undefined) : undefined}
        onValue={(next) => setChoice({ connection, place: next })}
        exact
      />
      <Row>
        <PickFolder
          title={t.selfBackup.place}
          connectionId={connection}
          start={place}
          onPick={(picked) =>
            setChoice({ connection, place: `${picked.replace(/\/$/, '')}/holdfast-self-backup` })
          }
        >
          {t.selfBackup.choose}
        </PickFolder>
      </Row>
    </Form>
  );
}

function Existing({ view }: { view: SelfBackupView }) {
  const { repository_id, path, last_backup_at, next_run, same_disk } = view;
  const state = stateOf(view, Date.now());
  return (
    <Stack>
      <Notice kind={state === 'well' || state === 'waiting' ? 'info' : 'warning'}>
        {t.selfBackup.states[state]}
      </Notice>
      {state === 'failing' && <p>{lastErrorOf(view)}</p>}
      {same_disk && <Notice kind="warning">{t.selfBackup.sameDisk}</Notice>}
      <Facts
        facts={[
          [t.selfBackup.place, <bdi key="place">{path}</bdi>],
          [
            t.selfBackup.lastCopy,
            last_backup_at ? <Time key="last" at={last_backup_at} /> : t.selfBackup.none,
          ],
          [t.schedules.nextRunFact, next_run ? <Time key="next" at={next_run} /> : t.selfBackup.notPlanned],
        ]}
      />
      <Row>
        {view.enabled ? (
          <ConfirmButton
            look="plain"
            title={t.selfBackup.switchOffTitle}
            action={t.selfBackup.switchOff}
            danger
            onConfirm={() => put({ enabled: false })}
          >
            <p>{t.selfBackup.switchOffMeans}</p>
          </ConfirmButton>
        ) : (
          <ActionButton look="primary" onAct={() => put({ enabled: true })}>
            {t.selfBackup.switchOn}
          </ActionButton>
        )}
        <Link href={`/repositories/${repository_id}`}>{t.selfBackup.toRepository}</Link>
      </Row>
    </Stack>
  );
}
