import { useQuery } from '@tanstack/preact-query';
import { read } from '../../../api/api.js';
import type { Schemas } from '../../../api/client.js';
import { user as signedIn } from '../../../hub/link.js';
import { ago } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { useStore } from '../../../store.js';
import { ButtonLink } from '../../../ui/button.js';
import { Empty, Section } from '../../../ui/layout.js';
import { List, ListItem } from '../../../ui/list.js';
import { QueryView } from '../../../ui/query-view.js';
import { State, type StateName } from '../../../ui/state.js';
import { useMinute } from '../../../ui/time.js';
import type { Setting } from './events.js';
import { Matrix } from './matrix.js';

/** The channels, their events, and the state of deliveries. */
export default function Notifications() {
  const isAdmin = useStore(signedIn)?.is_admin ?? false;
  const query = useQuery(read('/api/notifications'));
  const add = (
    <ButtonLink look="primary" href="/settings/notifications/new">
      {t.notifications.add}
    </ButtonLink>
  );
  const hasSome = (query.data?.length ?? 0) > 0;
  return (
    <Page
      title={t.settings.pages.notifications}
      up={[t.settings.title, '/settings']}
      lead={t.settings.for.notifications}
      actions={isAdmin && hasSome && add}
    >
      <QueryView query={query}>
        {(settings) =>
          settings.length === 0 ? (
            <Empty action={isAdmin && add}>{t.notifications.empty}</Empty>
          ) : (
            <>
              <Section title={t.notifications.channels}>
                <List label={t.notifications.channels}>
                  {settings.map((setting) => (
                    <Channel key={setting.id} setting={setting} />
                  ))}
                </List>
              </Section>
              <Section title={t.notifications.whoIsTold}>
                <Matrix settings={settings} canChange={isAdmin} />
              </Section>
              <Section title={t.notifications.report}>
                <p class="muted">{t.notifications.reportHint}</p>
              </Section>
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

type Delivery = Schemas['DeliveryView'];

function Channel({ setting }: { setting: Setting }) {
  useMinute();
  const { id, name, service_url, enabled } = setting;
  const newest =
    useQuery(
      read('/api/notifications/{setting_id}/deliveries', {
        path: { setting_id: id },
        query: { limit: 5 },
      }),
    ).data?.deliveries ?? [];
  const { state, word } = stateOf(enabled, newest);
  const scheme = service_url.split('://')[0] ?? '';
  const services = useQuery(read('/api/notifications/services')).data;
  return (
    <ListItem
      href={`/settings/notifications/${id}`}
      label={`${name}, ${word}`}
      title={name}
      note={[
        services?.find(({ schemes }) => schemes.includes(scheme))?.name ?? scheme,
        setting.monitor_all_repositories
          ? null
          : t.notifications.someRepositories(setting.repositories.length),
      ]
        .filter(Boolean)
        .join(' · ')}
    >
      <State state={state} word={word} />
      <span class="muted small">
        {setting.last_used_at
          ? t.notifications.lastDelivered(ago(setting.last_used_at))
          : t.notifications.neverDelivered}
      </span>
    </ListItem>
  );
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
