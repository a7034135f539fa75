import { useQuery } from '@tanstack/preact-query';
import { read, type Schemas } from '../../../api/api.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { t } from '../../../i18n/messages.js';
import { Section } from '../../../ui/layout.js';
import { State, type StateName } from '../../../ui/state.js';
import { SettingsList } from '../settings-page.js';
import { deliveriesQuery } from './deliveries.js';
import type { Setting } from './events.js';
import { Matrix } from './matrix.js';

export default function Notifications() {
  const isAdmin = useIsAdmin();
  const query = useQuery(read('/api/notifications'));
  const services = useQuery(read('/api/notifications/services')).data;
  const settings = query.data ?? [];
  const serviceOf = ({ service_url }: Setting) => {
    const scheme = service_url.split('://')[0] ?? '';
    return services?.find(({ schemes }) => schemes.includes(scheme))?.name ?? scheme;
  };
  return (
    <SettingsList
      page="notifications"
      query={query}
      rowsOf={(rows) => rows}
      address="/settings/notifications"
      add={isAdmin && t.notifications.add}
      empty={t.notifications.empty}
      columns={(of) => [
        of.name(({ name }) => name),
        {
          key: 'state',
          head: t.common.state,
          width: '11rem',
          cell: (setting) => <ChannelState setting={setting} />,
        },
        of.text('service', t.hosts.service, serviceOf),
        of.text('about', t.frame.place.repositories, (one) =>
          one.monitor_all_repositories
            ? t.common.all
            : t.notifications.someRepositories(one.repositories.length),
        ),
        of.time('at', t.notifications.lastDelivered, (one) => one.last_used_at, t.common.never),
      ]}
    >
      {settings.length > 0 && (
        <>
          <Section title={t.notifications.whoIsTold}>
            <Matrix settings={settings} canChange={isAdmin} />
          </Section>
          <Section title={t.notifications.report}>
            <p class="muted">{t.notifications.reportHint}</p>
          </Section>
        </>
      )}
    </SettingsList>
  );
}

type Delivery = Schemas['DeliveryView'];

function ChannelState({ setting: { id, enabled } }: { setting: Setting }) {
  const newest = useQuery(deliveriesQuery(id, { limit: 5 })).data?.deliveries ?? [];
  return <State {...stateOf(enabled, newest)} />;
}

/** The result of the newest messages: the last final one, unless one is being retried. */
function stateOf(enabled: boolean, newest: readonly Delivery[]): { state: StateName; word: string } {
  if (!enabled) return { state: 'off', word: t.notifications.states.off };
  if (newest.some(({ status, attempts }) => status === 'pending' && attempts > 0))
    return { state: 'late', word: t.notifications.states.retries };
  const settled = newest.find(({ status }) => status === 'delivered' || status === 'parked');
  if (settled?.status === 'parked') return { state: 'late', word: t.notifications.states.parked };
  if (settled) return { state: 'protected', word: t.notifications.states.works };
  return newest.length > 0
    ? { state: 'running', word: t.notifications.states.waits }
    : { state: 'unknown', word: t.notifications.states.unused };
}
