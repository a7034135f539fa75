import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { api, read } from '../../../api/api.js';
import { answer, type Schemas } from '../../../api/client.js';
import { outdate } from '../../../api/query-client.js';
import { ago } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Button } from '../../../ui/button.js';
import { Section } from '../../../ui/layout.js';
import { List, ListItem } from '../../../ui/list.js';
import { NextPage } from '../../../ui/next-page.js';
import { ErrorNotice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { Sentence } from '../../../ui/sentence.js';
import { State, type StateName } from '../../../ui/state.js';
import { Time, useMinute } from '../../../ui/time.js';
import { useAction } from '../../../ui/use-action.js';
import type { Setting } from './events.js';

type Delivery = Schemas['DeliveryView'];
const page = 20;

const isUnderway = ({ status }: Delivery) => status === 'pending' || status === 'collecting';

/** Undelivered messages first, because they need attention. */
export function Deliveries({ setting, canResend }: { setting: Setting; canResend: boolean }) {
  const path = { setting_id: setting.id };
  const parked = useQuery(
    read('/api/notifications/{setting_id}/deliveries', { path, query: { status: 'parked', limit: page } }),
  );
  const all = useInfiniteQuery({
    queryKey: ['/api/notifications/{setting_id}/deliveries', setting.id],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET('/api/notifications/{setting_id}/deliveries', {
          params: { path, query: { limit: page, offset: pageParam } },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * page < total ? pages.length * page : null),
    // No event announces a delivery.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ deliveries }) => deliveries.some(isUnderway)) ? 3_000 : false,
  });
  const row = (delivery: Delivery) => (
    <DeliveryRow key={delivery.id} settingId={setting.id} delivery={delivery} canResend={canResend} />
  );
  const lost = parked.data?.deliveries ?? [];
  return (
    <>
      {lost.length > 0 && (
        <Section title={t.notifications.parked(parked.data?.total ?? lost.length)}>
          <List label={t.notifications.parked(parked.data?.total ?? lost.length)}>{lost.map(row)}</List>
        </Section>
      )}
      <Section title={t.notifications.deliveries}>
        <QueryView query={all}>
          {({ pages }) => {
            const rest = pages
              .flatMap(({ deliveries }) => deliveries)
              .filter(({ status }) => status !== 'parked');
            return rest.length === 0 ? (
              <p class="muted">{t.notifications.noDeliveries}</p>
            ) : (
              <List label={t.notifications.deliveries}>{rest.map(row)}</List>
            );
          }}
        </QueryView>
        <NextPage query={all} />
      </Section>
    </>
  );
}

export const deliveryMarks: Record<Delivery['status'], StateName> = {
  collecting: 'running',
  pending: 'running',
  delivered: 'protected',
  parked: 'late',
};

interface DeliveryRowProps {
  settingId: number;
  delivery: Delivery;
  canResend: boolean;
}

function DeliveryRow({ settingId, delivery, canResend }: DeliveryRowProps) {
  useMinute();
  const { id, status, repository_name, count, attempts, next_attempt_at: next } = delivery;
  const action = useAction();
  const event = eventName(delivery.event);
  const title = repository_name ? t.notifications.of(event, repository_name) : event;
  const resend = () =>
    action.run(async () => {
      await answer(
        api.POST('/api/notifications/{setting_id}/deliveries/{delivery_id}/resend', {
          params: { path: { setting_id: settingId, delivery_id: id } },
        }),
      );
      announce(t.notifications.resent);
      outdate('/api/notifications', '/api/overview', '/api/incidents');
    });
  return (
    <ListItem
      title={count > 1 ? `${title} (${count}×)` : title}
      note={
        <>
          {delivery.last_error && status !== 'delivered' && (
            <div>
              <Sentence
                code={delivery.last_error_code}
                params={delivery.last_error_params}
                text={delivery.last_error}
              />
            </div>
          )}
          {status === 'pending' && attempts > 0 && next && (
            <div>{t.notifications.nextAttempt(attempts, ago(next))}</div>
          )}
          {action.error ? <ErrorNotice error={action.error} /> : null}
        </>
      }
      actions={
        canResend &&
        (status === 'parked' || (status === 'pending' && attempts > 0)) && (
          <Button
            busy={action.isBusy}
            aria-label={`${t.notifications.resend}: ${title}`}
            onClick={() => void resend()}
          >
            {t.notifications.resend}
          </Button>
        )
      }
    >
      <State state={deliveryMarks[status]} word={t.notifications.deliveryStates[status]} />
      <span class="muted small">
        <Time at={delivery.delivered_at ?? delivery.created_at} />
      </span>
    </ListItem>
  );
}

/** Events that a later release adds are shown as they are. */
export const eventName = (event: string): string =>
  t.notifications.events[event as keyof typeof t.notifications.events] ?? event;
