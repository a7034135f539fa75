import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { outdate, read, type Schemas, write } from '../../../api/api.js';
import { ago } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { ActionButton } from '../../../ui/action-button.js';
import { announce } from '../../../ui/announce.js';
import { DataList, type ListProps } from '../../../ui/data-list.js';
import { Section } from '../../../ui/layout.js';
import { QueryView } from '../../../ui/query-view.js';
import { lastErrorOf } from '../../../ui/sentence.js';
import type { StateName } from '../../../ui/state.js';
import { useMinute } from '../../../ui/time.js';
import type { Setting } from './events.js';

type Delivery = Schemas['DeliveryView'];
const page = 20;

const isUnderway = ({ status }: Delivery) => status === 'pending' || status === 'collecting';

export const deliveriesQuery = (
  setting_id: number,
  query: { status?: 'parked'; limit: number; offset?: number },
) => read('/api/notifications/{setting_id}/deliveries', { path: { setting_id }, query });

/** Undelivered messages first, because they need attention. */
export function Deliveries({ setting, canResend }: { setting: Setting; canResend: boolean }) {
  const parked = useQuery(deliveriesQuery(setting.id, { status: 'parked', limit: page }));
  const all = useInfiniteQuery({
    queryKey: ['/api/notifications/{setting_id}/deliveries', setting.id],
    queryFn: ({ pageParam, signal }) =>
      deliveriesQuery(setting.id, { limit: page, offset: pageParam }).queryFn({ signal }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * page < total ? pages.length * page : null),
    // No event announces a delivery.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ deliveries }) => deliveries.some(isUnderway)) ? 3_000 : false,
  });
  const lost = parked.data?.deliveries ?? [];
  const title = t.notifications.parked(parked.data?.total ?? lost.length);
  return (
    <>
      {lost.length > 0 && (
        <Section title={title}>
          <Sent
            label={title}
            name="lost"
            rows={lost}
            isPart={lost.length === page}
            settingId={canResend && setting.id}
          />
        </Section>
      )}
      <Section title={t.notifications.deliveries}>
        <QueryView query={all}>
          {({ pages }) => (
            <Sent
              label={t.notifications.deliveries}
              rows={pages.flatMap(({ deliveries }) => deliveries).filter(({ status }) => status !== 'parked')}
              query={all}
              empty={<p class="muted">{t.notifications.noDeliveries}</p>}
              settingId={canResend && setting.id}
            />
          )}
        </QueryView>
      </Section>
    </>
  );
}

const marks: Record<Delivery['status'], StateName> = {
  collecting: 'running',
  pending: 'running',
  delivered: 'protected',
  parked: 'late',
};

export const deliveryState = ({ status }: Pick<Delivery, 'status'>) => ({
  state: marks[status],
  word: t.notifications.deliveryStates[status],
});

type SentProps = Pick<ListProps<Delivery>, 'label' | 'name' | 'rows' | 'isPart' | 'query' | 'empty'> & {
  /** False: nothing can be sent again. */
  settingId: number | false;
};

function Sent({ settingId, ...list }: SentProps) {
  useMinute();
  return (
    <DataList
      {...list}
      columns={(of) => [
        of.name(titleOf, t.notifications.event),
        of.state(deliveryState),
        of.time('at', t.common.date, (one) => one.delivered_at ?? one.created_at),
      ]}
      actionsWidth="9rem"
      actions={(one) =>
        settingId !== false &&
        (one.status === 'parked' || isRetried(one)) && <Resend settingId={settingId} delivery={one} />
      }
      below={(one) =>
        one.status !== 'delivered' &&
        (one.last_error || isRetried(one)) && (
          <>
            {lastErrorOf(one)}{' '}
            {isRetried(one) &&
              one.next_attempt_at &&
              t.notifications.nextAttempt(one.attempts, ago(one.next_attempt_at))}
          </>
        )
      }
    />
  );
}

const isRetried = ({ status, attempts }: Delivery) => status === 'pending' && attempts > 0;

function titleOf({ event, repository_name: name, count }: Delivery): string {
  const title = name ? t.notifications.of(eventName(event), name) : eventName(event);
  return count > 1 ? `${title} (${count}×)` : title;
}

function Resend({ settingId, delivery }: { settingId: number; delivery: Delivery }) {
  const resend = async () => {
    await write('POST', '/api/notifications/{setting_id}/deliveries/{delivery_id}/resend', {
      path: { setting_id: settingId, delivery_id: delivery.id },
    });
    announce(t.notifications.resent);
    outdate('/api/notifications', '/api/overview', '/api/incidents');
  };
  return (
    <ActionButton aria-label={`${t.notifications.resend}: ${titleOf(delivery)}`} onAct={resend}>
      {t.notifications.resend}
    </ActionButton>
  );
}

/** Events that a later release adds are shown as they are. */
export const eventName = (event: string): string =>
  t.notifications.events[event as keyof typeof t.notifications.events] ?? event;
