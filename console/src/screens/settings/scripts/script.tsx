import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { outdate, outdateRemoved, readTagged, type Schemas, write } from '../../../api/api.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import type { ScreenProps } from '../../../shell/router.js';
import { announce } from '../../../ui/announce.js';
import { DataList } from '../../../ui/data-list.js';
import { ConfirmButton } from '../../../ui/dialog.js';
import { EditForm, type Tagged, useEditing } from '../../../ui/editing.js';
import { Facts, Section } from '../../../ui/layout.js';
import { Notice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { UsedBy } from '../used-by.js';
import { type Draft, ScriptFields } from './script-fields.js';
import { TestRun } from './test-run.js';

type Script = Schemas['ScriptDetails'];

export default function ScriptScreen({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const isAdmin = useIsAdmin();
  const query = useQuery(scriptQuery(id));
  const script = query.data?.data;
  const canChange = isAdmin && !script?.is_template;
  return (
    <Page
      title={script?.name ?? t.frame.page.scripts}
      up={[t.frame.page.scripts, '/settings/scripts']}
      lead={script?.description && <bdi>{script.description}</bdi>}
      actions={canChange && query.data && <Remove tagged={query.data} />}
    >
      <QueryView query={query} gone={t.settings.gone} lines={6}>
        {(tagged) => (
          <>
            <Section title={t.scripts.content} quiet card>
              {tagged.data.is_template && <Notice>{t.scripts.isTemplate}</Notice>}
              {isAdmin ? <Edit tagged={tagged} canChange={canChange} /> : <Shown script={tagged.data} />}
            </Section>
            {isAdmin && <TestRun script={tagged.data} />}
            <Uses script={tagged.data} />
            <Runs script={tagged.data} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

/** Others than administrators do not get the text: it may hold passwords. */
const Shown = ({ script }: { script: Script }) => (
  <>
    <Facts
      facts={[
        [t.scripts.runOn, t.scripts.runOns[script.run_on]],
        [t.scripts.timeout, number(script.timeout)],
      ]}
    />
    <p class="muted">{t.scripts.textHidden}</p>
  </>
);

const scriptQuery = (id: number) => readTagged('/api/scripts/{script_id}', { path: { script_id: id } });
const draftOf = ({ name, description, content, timeout, run_on, parameters }: Script): Draft => ({
  name,
  description,
  content,
  timeout,
  run_on,
  parameters,
});

function Edit({ tagged, canChange }: { tagged: Tagged<Script>; canChange: boolean }) {
  const { id } = tagged.data;
  const editing = useEditing({
    tagged,
    draftOf,
    query: scriptQuery(id),
    save: async (body, etag) => {
      await write('PUT', '/api/scripts/{script_id}', { path: { script_id: id }, etag, body });
      outdate('/api/scripts');
    },
  });
  const { draft, change, error } = editing;
  const fields = <ScriptFields draft={draft} onDraft={change} error={error} disabled={!canChange} />;
  if (!canChange) return fields;
  const { content, timeout, runOn } = t.scripts;
  const { description } = t.schedules;
  return (
    <EditForm
      editing={editing}
      labels={{ name: t.common.name, description, content, timeout, run_on: runOn }}
    >
      {fields}
    </EditForm>
  );
}

function Uses({ script: { repositories, schedules } }: { script: Script }) {
  const inRepositories = repositories.map(({ id, name, hook_type, enabled }) => ({
    href: `/repositories/${id}`,
    name,
    note: enabled ? t.scripts.hooks[hook_type] : `${t.scripts.hooks[hook_type]}, ${t.common.states.off}`,
  }));
  const inSchedules = schedules.map(({ id, name, hook_type }) => ({
    href: `/schedules/${id}`,
    name,
    note: t.scripts.hooksOfSchedule[hook_type],
  }));
  return <UsedBy uses={[...inRepositories, ...inSchedules]} />;
}

function Runs({ script: { recent_executions: runs } }: { script: Script }) {
  if (runs.length === 0) return null;
  return (
    <Section title={t.scripts.runs}>
      <DataList
        label={t.scripts.runs}
        rows={runs}
        linkOf={({ job_id: job }) => (job === null ? undefined : [`/activity/${job}`])}
        columns={(of) => [
          of.text('kind', t.activity.kind, ({ hook_type }) => t.scripts.hooks[hook_type]),
          of.text('state', t.common.state, ({ status }) => t.common.jobStates[status]),
          of.time('at', t.common.date, ({ started_at }) => started_at),
          of.figure(
            'took',
            t.activity.took,
            ({ execution_time }) => execution_time,
            (seconds) => t.scripts.took(number(seconds)),
          ),
        ]}
      />
    </Section>
  );
}

function Remove({ tagged: { data, etag } }: { tagged: Tagged<Script> }) {
  const [, navigate] = useLocation();
  return (
    <ConfirmButton
      title={t.common.deleteTitle(data.name)}
      action={t.scripts.remove}
      danger
      onConfirm={async () => {
        await write('DELETE', '/api/scripts/{script_id}', { path: { script_id: data.id }, etag });
        announce(t.common.deleted(data.name));
        outdateRemoved('/api/scripts/{script_id}', '/api/scripts');
        navigate('/settings/scripts');
      }}
    >
      <p>{t.scripts.removeMeans}</p>
    </ConfirmButton>
  );
}
