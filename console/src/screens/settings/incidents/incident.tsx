import { useQuery } from '@tanstack/preact-query';
import { outdate, readTagged, type Schemas, write } from '../../../api/api.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { number, sinceWhen } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import type { ScreenProps } from '../../../shell/router.js';
import { ActionButton } from '../../../ui/action-button.js';
import { announce } from '../../../ui/announce.js';
import { ButtonLink } from '../../../ui/button.js';
import { DataList } from '../../../ui/data-list.js';
import { Facts, Section } from '../../../ui/layout.js';
import { failureOf, lastErrorOf, Notice, Sentence } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { State } from '../../../ui/state.js';
import { Time } from '../../../ui/time.js';
import { deliveryState, eventName } from '../notifications/deliveries.js';
import { Snooze } from './snooze.js';
import { addressOf, causeOf, stateOf } from './words.js';

type Details = Schemas['IncidentDetails'];

/** One incident: the problem, notifications, attempts, and its end. */
export default function IncidentScreen({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const isAdmin = useIsAdmin();
  const query = useQuery(readTagged('/api/incidents/{incident_id}', { path: { incident_id: id } }));
  const incident = query.data?.data;
  const address = incident && addressOf(incident);
  return (
    <Page
      title={incident ? `${incident.object.name}: ${causeOf(incident)}` : t.frame.page.incidents}
      heading={
        incident && (
          <>
            <bdi>{incident.object.name}</bdi>: {causeOf(incident)}
          </>
        )
      }
      up={[t.frame.page.incidents, '/settings/incidents']}
      lead={incident && <State {...stateOf(incident)} />}
      actions={address && <ButtonLink href={address}>{t.incidents.openObject}</ButtonLink>}
    >
      <QueryView query={query} gone={t.settings.gone}>
        {({ data, etag }) => (
          <>
            <Notice kind={data.open ? 'warning' : 'good'}>
              <Sentence {...(data.recovery ?? data.reason)} />
            </Notice>
            {data.open && isAdmin && !data.snoozed_until && <Snooze incident={data} />}
            {data.open && data.snoozed_until && <Snoozed incident={data} etag={etag} canWake={isAdmin} />}
            <Section title={t.common.details} card>
              <Facts
                facts={[
                  [t.incidents.since, <Time key="since" at={data.since} />],
                  [t.incidents.noticed, <Time key="noticed" at={data.opened_at} />],
                  data.recovered_at
                    ? [t.incidents.closed, <Time key="ended" at={data.recovered_at} />]
                    : null,
                  data.recovery ? [t.incidents.was, <Sentence key="was" {...data.reason} />] : null,
                ]}
              />
            </Section>
            <Attempts incident={data} />
            <Told incident={data} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Snoozed({
  incident,
  etag,
  canWake,
}: {
  incident: Details;
  etag: string | undefined;
  canWake: boolean;
}) {
  const wake = async () => {
    await write('DELETE', '/api/incidents/{incident_id}/snooze', {
      path: { incident_id: incident.id },
      etag,
    });
    announce(t.incidents.woken);
    outdate('/api/incidents', '/api/overview');
  };
  return (
    <Notice
      title={t.incidents.snoozedUntil(sinceWhen(incident.snoozed_until ?? ''))}
      action={canWake && <ActionButton onAct={wake}>{t.incidents.wake}</ActionButton>}
    >
      <bdi>{incident.snooze_reason}</bdi>
      {incident.snoozed_by && <span class="muted"> ({incident.snoozed_by})</span>}
    </Notice>
  );
}

function Attempts({ incident: { attempts } }: { incident: Details }) {
  if (attempts.count === 0) return null;
  return (
    <Section title={t.incidents.attempts(attempts.count, number(attempts.count))}>
      <DataList
        label={t.incidents.tried}
        rows={attempts.last}
        keyOf={(job) => job.job_id}
        linkOf={(job) => [`/activity/${job.job_id}`]}
        columns={(of) => [
          of.text('kind', t.activity.kind, (job) => t.common.jobKinds[job.kind]),
          of.text(
            'state',
            t.common.state,
            ({ status }) => t.common.jobStates[status as keyof typeof t.common.jobStates] ?? status,
          ),
          of.time('at', t.common.date, (job) => job.completed_at ?? job.requested_at),
        ]}
        below={failureOf}
      />
    </Section>
  );
}

const Told = ({ incident: { messages } }: { incident: Details }) => (
  <Section title={t.incidents.told}>
    <DataList
      label={t.incidents.told}
      rows={messages}
      name="told"
      keyOf={(message) => message.delivery_id}
      empty={<p class="muted">{t.incidents.noChannel}</p>}
      columns={(of) => [
        of.name((message) => message.setting_name ?? t.common.unknown),
        of.text('event', t.notifications.event, ({ event }) => event && eventName(event)),
        of.state(deliveryState),
        of.time('at', t.common.date, (message) => message.delivered_at ?? message.created_at),
      ]}
      below={(message) => message.status !== 'delivered' && lastErrorOf(message)}
    />
  </Section>
);
