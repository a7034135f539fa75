import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { api, outdate, readTagged, type Schemas, write } from '../../api/api.js';
import { answer, answerWithTag, ifMatch } from '../../api/client.js';
import { ownZone } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import type { ScreenProps } from '../../shell/router.js';
import { announce } from '../../ui/announce.js';
import { Conflicts } from '../../ui/conflicts.js';
import { Form } from '../../ui/form.js';
import { Stack } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { SaveBar } from '../../ui/save-bar.js';
import { useAction } from '../../ui/use-action.js';
import { useEdit } from '../../ui/use-edit.js';
import { cronOf, presets, usualTiming } from './plan.rules.js';
import { ScheduleFields } from './schedule-fields.js';
import type { Values } from './schedule-values.js';
import { useRepositoryNames } from './use-repository-names.js';

/** A new schedule, or the settings of one that exists. */
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
  const [values, setValues] = useState(fresh);
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
        <ScheduleFields
          values={values}
          onValues={(change) => setValues((now) => ({ ...now, ...change }))}
          scheduleId={null}
          error={action.error}
        />
      </Form>
    </Page>
  );
}

function EditSchedule({ id }: { id: number }) {
  const query = useQuery(readTagged('/api/schedule/{job_id}', { path: { job_id: id } }));
  const name = query.data?.data.job.name;
  return (
    <Page
      title={name ? t.schedules.editTitle(name) : t.frame.place.schedules}
      up={[name ?? t.frame.place.schedules, `/schedules/${id}`]}
    >
      <QueryView query={query} lines={8} gone={t.schedules.gone}>
        {({ data, etag }) => <EditForm id={id} loaded={{ values: valuesOf(data.job), etag }} />}
      </QueryView>
    </Page>
  );
}

function EditForm({ id, loaded }: { id: number; loaded: { values: Values; etag: string | undefined } }) {
  const nameOf = useRepositoryNames();
  const [, navigate] = useLocation();
  const path = { job_id: id };
  const edit = useEdit<Values>({
    loaded,
    save: (changes, etag) =>
      answer(
        api.PUT('/api/schedule/{job_id}', {
          params: { path, header: ifMatch(etag) },
          body: changes,
        } as never),
      ),
    reload: async () => {
      const { data, etag } = await answerWithTag(
        api.GET('/api/schedule/{job_id}', { params: { path } } as never),
      );
      return { values: valuesOf((data as Schemas['SchedulesGetAnswer']).job), etag };
    },
  });
  const set = (change: Partial<Values>) => {
    for (const [field, value] of Object.entries(change)) edit.set(field as keyof Values, value as never);
  };
  const words = (value: unknown, field: string): string => {
    if (field === 'repository_ids') return (value as number[]).map(nameOf).join(', ') || t.common.none;
    if (typeof value === 'boolean') return value ? t.common.yes : t.common.no;
    if (value === null || value === '') return t.common.none;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        if (!(await edit.save())) return;
        outdate('/api/schedule', '/api/overview', '/api/repositories');
        announce(t.common.saved);
        navigate(`/schedules/${id}`);
      }}
    >
      <Stack>
        <ScheduleFields values={edit.draft} onValues={set} scheduleId={id} error={edit.error} />
        <Conflicts
          conflicts={edit.conflicts}
          draft={edit.draft}
          label={(field) => t.schedules.fields[field as keyof typeof t.schedules.fields]}
          words={words}
          onTake={(field, value) => set({ [field]: value })}
        />
        <SaveBar edit={edit} onDiscard={() => navigate(`/schedules/${id}`)} sticky />
      </Stack>
    </form>
  );
}

const valuesOf = (schedule: Schemas['ScheduleView']): Values =>
  Object.fromEntries(
    Object.keys(fresh).map((field) => [field, schedule[field as keyof Schemas['ScheduleView']]]),
  ) as Values;
