import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { outdate, readTagged, type Schemas, write } from '../../api/api.js';
import { ownZone } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import type { ScreenProps } from '../../shell/router.js';
import { announce } from '../../ui/announce.js';
import { Conflicts } from '../../ui/conflicts.js';
import { inWords, type Tagged, useEditing } from '../../ui/editing.js';
import { Form, useAction, useDraft } from '../../ui/form.js';
import { Stack } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { SaveBar } from '../../ui/save-bar.js';
import { cronOf, presets, usualTiming } from './plan.rules.js';
import { ScheduleFields } from './schedule-fields.js';
import type { Values } from './schedule-values.js';
import { useRepositoryNames } from './use-repository-names.js';

export default function Editor({ params }: ScreenProps<'id'>) {
  return params.id === undefined ? <NewSchedule /> : <EditSchedule id={Number(params.id)} />;
}

const fresh: Values = {
  name: '',
  description: null,
  tags: [],
  cron_expression: cronOf(usualTiming),
  timezone: ownZone,
  catch_up: 'one',
  pause_until: null,
  when: null,
  retry: null,
  repository_ids: [],
  run_prune_after: true,
  run_compact_after: true,
  ...presets.standard,
  pre_backup_script_id: null,
  post_backup_script_id: null,
  pre_backup_script_parameters: null,
  post_backup_script_parameters: null,
  run_repository_scripts: true,
};

function NewSchedule() {
  const [values, change] = useDraft(fresh);
  const action = useAction();
  const [, navigate] = useLocation();
  const create = () =>
    action.run(async () => {
      const { job } = await write('POST', '/api/schedule/', { body: values as never });
      outdate('/api/schedule', '/api/overview', '/api/repositories');
      announce(t.common.saved);
      navigate(`/schedules/${job.id}`);
    });
  return (
    <Page title={t.frame.page.newSchedule} up={[t.frame.place.schedules, '/schedules']}>
      <Form
        action={action}
        onSubmit={create}
        submit={t.schedules.createIt}
        onCancel={() => navigate('/schedules')}
      >
        <ScheduleFields values={values} onValues={change} scheduleId={null} error={action.error} />
      </Form>
    </Page>
  );
}

const scheduleQuery = (id: number) => readTagged('/api/schedule/{job_id}', { path: { job_id: id } });

function EditSchedule({ id }: { id: number }) {
  const query = useQuery(scheduleQuery(id));
  const name = query.data?.data.job.name;
  return (
    <Page
      title={name ? t.schedules.editTitle(name) : t.frame.place.schedules}
      up={[name ?? t.frame.place.schedules, `/schedules/${id}`]}
    >
      <QueryView query={query} lines={8} gone={t.schedules.gone}>
        {(tagged) => <EditForm id={id} tagged={tagged} />}
      </QueryView>
    </Page>
  );
}

function EditForm({ id, tagged }: { id: number; tagged: Tagged<Schemas['SchedulesGetAnswer']> }) {
  const nameOf = useRepositoryNames();
  const [, navigate] = useLocation();
  const editing = useEditing({
    tagged,
    draftOf: ({ job }) => valuesOf(job),
    query: scheduleQuery(id),
    save: (body, etag) =>
      write('PUT', '/api/schedule/{job_id}', { path: { job_id: id }, etag, body: body as never }),
  });
  const { draft, change, conflicts, error } = editing;
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        if (!(await editing.save())) return;
        outdate('/api/schedule', '/api/overview', '/api/repositories');
        navigate(`/schedules/${id}`);
      }}
    >
      <Stack>
        <ScheduleFields values={draft} onValues={change} scheduleId={id} error={error} />
        <Conflicts
          conflicts={conflicts}
          draft={draft}
          label={(field) => t.schedules.fields[field as keyof typeof t.schedules.fields]}
          words={(value, field) =>
            inWords(field === 'repository_ids' ? (value as number[]).map(nameOf) : value)
          }
          onTake={(field, value) => change({ [field]: value })}
        />
        <SaveBar edit={editing} onDiscard={() => navigate(`/schedules/${id}`)} sticky />
      </Stack>
    </form>
  );
}

const valuesOf = (schedule: Schemas['ScheduleView']): Values =>
  Object.fromEntries(
    Object.keys(fresh).map((field) => [field, schedule[field as keyof Schemas['ScheduleView']]]),
  ) as Values;
