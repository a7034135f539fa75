import { useInfiniteQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { readPages, type Schemas } from '../../../api/api.js';
import { exactly, number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Button } from '../../../ui/button.js';
import { Copyable } from '../../../ui/copy.js';
import { DataList } from '../../../ui/data-list.js';
import { SelectField, TextField } from '../../../ui/field.js';
import { Empty, Facts, Section } from '../../../ui/layout.js';
import { QueryView } from '../../../ui/query-view.js';
import { type Filter, useFilter } from '../../../ui/use-filter.js';
import { useSettled } from '../../../ui/use-settled.js';
import { SettingsPage } from '../settings-page.js';
import styles from './audit.module.css';
import { actionInWords, useObjectNames } from './words.js';

type Entry = Schemas['AuditEntryView'];
const kinds = ['change', 'login', 'secret', 'download', 'system'] as const;
const outcomes = ['done', 'denied', 'throttled', 'refused', 'failed'] as const;
const names = ['kind', 'outcome', 'user', 'action', 'since', 'until'] as const;

export default function Audit() {
  return (
    <SettingsPage page="audit">
      <Trail />
    </SettingsPage>
  );
}

function Trail() {
  const filter = useFilter();
  const wanted = names.flatMap((name) =>
    filter.value(name) ? [[name, asQuery(name, filter.value(name))] as const] : [],
  );
  const given = JSON.parse(useSettled(JSON.stringify(Object.fromEntries(wanted))));
  // Reading the trail adds entries to it, so it is always refetched.
  const query = useInfiniteQuery({ ...readPages('/api/audit', { ...given, limit: 50 }), staleTime: 0 });
  const nameOf = useObjectNames();
  const [open, setOpen] = useState<number | null>(null);
  return (
    <>
      <Filters {...filter} />
      <QueryView query={query} lines={8}>
        {({ pages }) => (
          <DataList
            label={t.frame.page.audit}
            // The filter of the service is above it.
            isPart
            rows={pages.flatMap((page) => page.entries)}
            keyOf={({ seq }) => seq}
            query={query}
            empty={
              <Empty action={<Button onClick={filter.clear}>{t.audit.showAll}</Button>}>
                {t.audit.empty}
              </Empty>
            }
            columns={(of) => [
              of.name((entry) => {
                const name = nameOf(entry);
                return name ? `${actionInWords(entry.action)}: ${name}` : actionInWords(entry.action);
              }, t.audit.action),
              of.text('user', t.frame.username, ({ username }) => username ?? t.audit.nobody),
              of.text('kind', t.activity.kind, ({ kind }) => t.audit.kinds[kind], { width: '7.5rem' }),
              of.state(({ outcome }) => ({
                state: outcome === 'done' ? 'protected' : 'late',
                word: t.audit.outcomes[outcome],
              })),
              of.text('address', t.audit.address, ({ address }) => address, { width: '8.5rem' }),
              of.text('at', t.common.date, ({ at }) => exactly(at), { width: '11rem' }),
            ]}
            actionsWidth="6.5rem"
            actions={({ seq }) => (
              <Button
                look="quiet"
                aria-expanded={open === seq}
                aria-label={`${t.common.details}: ${seq}`}
                onClick={() => setOpen(open === seq ? null : seq)}
              >
                {t.common.details}
              </Button>
            )}
            below={(entry) =>
              (entry.note || entry.seq === open) && <More entry={entry} isOpen={entry.seq === open} />
            }
          />
        )}
      </QueryView>
      <Section title={t.audit.verify}>
        <p>{t.audit.verifyText}</p>
        <Copyable text="holdfast audit verify" label={t.audit.verify} />
      </Section>
    </>
  );
}

function Filters({ value, set }: Filter) {
  const field = (name: (typeof names)[number], label: string) => ({
    label,
    value: value(name),
    onValue: (text: string) => set(name, text),
  });
  return (
    <div class={styles.filters} role="search" aria-label={t.activity.filter}>
      <SelectField
        {...field('kind', t.activity.kind)}
        options={[['', t.common.all], ...kinds.map((key) => [key, t.audit.kinds[key]] as const)]}
      />
      <SelectField
        {...field('outcome', t.activity.result)}
        options={[['', t.common.all], ...outcomes.map((key) => [key, t.audit.outcomes[key]] as const)]}
      />
      <TextField {...field('user', t.frame.username)} {...typed} />
      <TextField {...field('action', t.audit.action)} {...typed} />
      <TextField {...field('since', t.audit.since)} type="date" />
      <TextField {...field('until', t.audit.until)} type="date" />
    </div>
  );
}

const typed = { type: 'search', autoCapitalize: 'none', spellcheck: false } as const;

/** Days in the time zone of the user, including the whole last one. */
function asQuery(name: string, text: string): string {
  if (name !== 'since' && name !== 'until') return text.trim();
  const day = new Date(`${text}T00:00:00`);
  if (name === 'until') day.setDate(day.getDate() + 1);
  return Number.isNaN(day.getTime()) ? '' : day.toISOString();
}

const More = ({ entry, isOpen }: { entry: Entry; isOpen: boolean }) => (
  <>
    {entry.note && (
      <div lang="en">
        <bdi>{entry.note}</bdi>
      </div>
    )}
    {isOpen && (
      <Facts
        facts={[
          [t.audit.position, number(entry.seq)],
          [t.audit.action, <code key="action">{entry.action}</code>],
          entry.method ? [t.audit.request, `${entry.method} ${entry.url ?? ''}`] : null,
          entry.status === null ? null : [t.audit.status, String(entry.status)],
          entry.object_kind ? [t.audit.object, `${entry.object_kind} ${entry.object_id ?? ''}`] : null,
          entry.token_id === null ? null : [t.audit.token, String(entry.token_id)],
          entry.request_id ? [t.audit.requestId, entry.request_id] : null,
          [t.audit.hash, <code key="hash">{entry.hash}</code>],
        ]}
      />
    )}
  </>
);
