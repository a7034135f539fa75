import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/client.js';
import { outdate } from '../../api/query-client.js';
import { startBackup } from '../../api/start-backup.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { useMay, useMayRestore } from '../../hub/may.js';
import { sinceWhen } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ActionButton } from '../../ui/action-button.js';
import { announce } from '../../ui/announce.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Section } from '../../ui/layout.js';
import { Sentence } from '../../ui/sentence.js';
import { StateMark, type StateName } from '../../ui/state.js';
import { byCause } from './cause.rules.js';
import styles from './home.module.css';

type Item = Schemas['OverviewAttention'];

/** Problems: one sentence and at most two buttons each, most urgent first. */
export function Attention({
  overview: { attention, attention_total, repositories },
}: {
  overview: Schemas['Overview'];
}) {
  const [isAll, setAll] = useState(false);
  const causes = byCause(attention);
  const shown = isAll ? causes : causes.slice(0, 5);
  const full = new Set(repositories.filter(({ mode }) => mode === 'full').map(({ id }) => id));
  const may = useMay();
  const isFull = ({ object }: Item) =>
    object.kind === 'repository' && full.has(object.id) && may('operate', object.id);
  const hidden = attention_total - shown.flat().length;
  return (
    <Section
      title={t.home.needsYou(attention_total)}
      actions={
        <ButtonLink look="quiet" href="/settings/incidents">
          {t.home.incidents}
        </ButtonLink>
      }
    >
      <ul class={styles.attention}>
        {shown.map((same) =>
          same.length > 1 ? (
            <SameCause key={same[0]?.cause} items={same} isFull={isFull} />
          ) : (
            same.map((item) => <AttentionItem key={keyOf(item)} item={item} canBackUp={isFull(item)} />)
          ),
        )}
      </ul>
      {hidden > 0 &&
        (isAll ? (
          <p class="muted">{t.home.more(hidden)}</p>
        ) : (
          <Button onClick={() => setAll(true)}>{t.home.more(hidden)}</Button>
        ))}
    </Section>
  );
}

const keyOf = ({ cause, object }: Item) => `${cause} ${object.kind} ${object.id}`;

/** One cause of many objects: one entry, which opens to theirs. */
function SameCause({ items, isFull }: { items: readonly Item[]; isFull: (item: Item) => boolean }) {
  const [{ cause } = { cause: '' }] = items;
  const [isOpen, setOpen] = useState(false);
  const isAdmin = useIsAdmin();
  const names = items.slice(0, 3).map(({ object }) => object.name);
  const title = t.home.causes[cause as keyof typeof t.home.causes] ?? t.home.causes.other;
  return (
    <li data-state={stateFor(cause)}>
      <StateMark state={stateFor(cause)} />
      <div>
        <strong>{title(items.length)}</strong>
        <p class={styles.names}>{t.home.andMore(names.join(', '), items.length - names.length)}</p>
      </div>
      <div class={styles.buttons}>
        {cause === 'not_covered' && isAdmin && (
          <ButtonLink href="/schedules/new">{t.frame.page.newSchedule}</ButtonLink>
        )}
        {(cause === 'late' || cause === 'unknown') && items.every(isFull) && <BackUpNow of={items} />}
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t.home.hideEach : t.home.showEach}
        </Button>
      </div>
      {isOpen && (
        <ul class={styles.same}>
          {items.map((item) => (
            <AttentionItem key={keyOf(item)} item={item} canBackUp={isFull(item)} />
          ))}
        </ul>
      )}
    </li>
  );
}

const severe = new Set(['damaged', 'cannot_open', 'drill_failed', 'host_key_changed', 'storage_full']);

const stateFor = (cause: string): StateName => (severe.has(cause) ? 'damaged' : 'late');

function AttentionItem({ item, canBackUp }: { item: Item; canBackUp: boolean }) {
  const { cause, object, since, snoozed_until } = item;
  const may = useMay();
  const mayRestore = useMayRestore();
  return (
    <li data-state={stateFor(cause)}>
      <StateMark state={stateFor(cause)} />
      <div>
        <strong>{object.name}</strong>{' '}
        {since && <span class="muted small">{t.home.since(sinceWhen(since))}</span>}
        {snoozed_until && <span class="muted small"> · {t.home.snoozed(sinceWhen(snoozed_until))}</span>}
        <p class={styles.text}>
          <Sentence code={item.code} params={item.params} text={item.text} />
        </p>
      </div>
      <div class={styles.buttons}>
        {ways[cause] ? (
          <ButtonLink href={ways[cause].href}>{ways[cause].text()}</ButtonLink>
        ) : (
          <ButtonLink href={addressOf(item, may)} aria-label={`${wordFor(item)}: ${object.name}`}>
            {wordFor(item)}
          </ButtonLink>
        )}
        {cause === 'damaged' && mayRestore(object.id) && (
          <ButtonLink
            href={`/restore?repository=${object.id}`}
            aria-label={`${t.frame.restoreFiles}: ${object.name}`}
          >
            {t.frame.restoreFiles}
          </ButtonLink>
        )}
        {(cause === 'late' || cause === 'unknown') && canBackUp && <BackUpNow of={[item]} />}
      </div>
    </li>
  );
}

const ways: Record<string, { href: string; text: () => string }> = {
  no_channel: { href: '/settings/notifications/new', text: () => t.home.setUp },
  recovery_sheet: { href: '/settings/recovery', text: () => t.home.makeSheet },
};

/** Pages of a repository that have the remedy. */
const pages: Record<string, string> = {
  drill_failed: '/drills',
  damaged: '/maintenance',
  cannot_open: '/maintenance',
  retention_paused: '/maintenance',
};
const hasRemedy = ({ cause, object }: Item) =>
  object.kind === 'repository' && pages[cause] === '/maintenance';
const wordFor = (item: Item) => (hasRemedy(item) ? t.common.whatToDo : t.home.why);

const addressOf = (
  { cause, incident_id, object: { kind, id } }: Item,
  may: ReturnType<typeof useMay>,
): string =>
  ({
    repository: `/repositories/${id}${cause === 'drill_failed' && !may('restore', id) ? '' : (pages[cause] ?? '')}`,
    connection: `/settings/hosts/${id}`,
    notification_setting: `/settings/notifications/${id}`,
    schedule: `/schedules/${id}`,
    service: `/settings/incidents/${incident_id}`,
  })[kind] ?? '/';

/** One that can't start keeps no other from it. */
function BackUpNow({ of }: { of: readonly Item[] }) {
  const names = of.map(({ object }) => object.name).join(', ');
  const start = async () => {
    const started = await Promise.allSettled(of.map(({ object }) => startBackup(object.id)));
    outdate('/api/overview', '/api/jobs');
    for (const each of started) if (each.status === 'rejected') throw each.reason;
    announce(t.home.backupStarted(names));
  };
  return (
    <ActionButton aria-label={`${t.frame.keys.backup}: ${names}`} onAct={start}>
      {of.length > 1 ? t.home.backUpAll : t.frame.keys.backup}
    </ActionButton>
  );
}
