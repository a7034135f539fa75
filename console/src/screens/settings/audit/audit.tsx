import { useInfiniteQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../../api/api.js';
import { answer, type Schemas } from '../../../api/client.js';
import { exactly, number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { type Filter, useFilter } from '../../../shell/navigation.js';
import { Page } from '../../../shell/page.js';
import { Button } from '../../../ui/button.js';
import { Copyable } from '../../../ui/copy.js';
import { SelectField, TextField } from '../../../ui/field.js';
import { Empty, Facts, Section } from '../../../ui/layout.js';
import { List, ListItem } from '../../../ui/list.js';
import { NextPage } from '../../../ui/next-page.js';
import { QueryView } from '../../../ui/query-view.js';
import styles from './audit.module.css';
import { actionInWords, useObjectName } from './words.js';

type Entry = Schemas['AuditEntryView'];
const kinds = ['change', 'login', 'secret', 'download', 'system'] as const;
const outcomes = ['done', 'denied', 'throttled', 'refused', 'failed'] as const;
const names = ['kind', 'outcome', 'user', 'action', 'since', 'until'] as const;

export default function Audit() {
  return (
    <Page title={t.settings.pages.audit} up={[t.settings.title, '/settings']} lead={t.settings.for.audit}>
      <Trail />
    </Page>
  );
}

function Trail() {
  const filter = useFilter();
  const given = Object.fromEntries(
    names.flatMap((name) => (filter.value(name) ? [[name, asQuery(name, filter.value(name))]] : [])),
  );
  const query = useInfiniteQuery({
    queryKey: ['/api/audit', given],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET('/api/audit', {
          params: { query: { ...given, limit: 50, ...(pageParam && { before: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next_before,
    // Reading the trail adds entries to it, so it is always refetched.
    staleTime: 0,
  });
  return (
    <>
      <Filters {...filter} />
      <QueryView query={query} lines={8}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          return entries.length === 0 ? (
            <Empty action={<Button onClick={filter.clear}>{t.audit.showAll}</Button>}>{t.audit.empty}</Empty>
          ) : (
            <List label={t.settings.pages.audit}>
              {entries.map((entry) => (
                <Row key={entry.seq} entry={entry} />
              ))}
            </List>
          );
        }}
      </QueryView>
      <NextPage query={query} />
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
    <div class={styles.filters} role="search" aria-label={t.audit.filter}>
      <SelectField
        {...field('kind', t.audit.kind)}
        options={[['', t.common.all], ...kinds.map((key) => [key, t.audit.kinds[key]] as const)]}
      />
      <SelectField
        {...field('outcome', t.audit.outcome)}
        options={[['', t.common.all], ...outcomes.map((key) => [key, t.audit.outcomes[key]] as const)]}
      />
      <Typed {...field('user', t.audit.user)} />
      <Typed {...field('action', t.audit.action)} />
      <TextField {...field('since', t.audit.since)} type="date" />
      <TextField {...field('until', t.audit.until)} type="date" />
    </div>
  );
}

/** Days in the time zone of the user, including the whole last one. */
function asQuery(name: string, text: string): string {
  if (name !== 'since' && name !== 'until') return text;
  const day = new Date(`${text}T00:00:00`);
  if (name === 'until') day.setDate(day.getDate() + 1);
  return Number.isNaN(day.getTime()) ? '' : day.toISOString();
}

/** Searches when the user stops typing. */
function Typed({ label, value, onValue }: { label: string; value: string; onValue: (text: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <TextField
      label={label}
      type="search"
      autoCapitalize="none"
      spellcheck={false}
      value={text}
      onValue={setText}
      onChange={() => onValue(text.trim())}
    />
  );
}

function Row({ entry }: { entry: Entry }) {
  const { seq, outcome } = entry;
  const words = actionInWords(entry.action);
  const name = useObjectName(entry);
  const [isOpen, setOpen] = useState(false);
  return (
    <ListItem
      title={
        <>
          {name ? `${words}: ${name}` : words} <span class="muted">{t.audit.kinds[entry.kind]}</span>
        </>
      }
      note={
        <>
          <bdi>{entry.username ?? t.audit.nobody}</bdi>
          {entry.address && ` · ${entry.address}`} · <time dateTime={entry.at}>{exactly(entry.at)}</time>
          {entry.note && (
            <div lang="en">
              <bdi>{entry.note}</bdi>
            </div>
          )}
          {isOpen && (
            <Facts
              facts={[
                [t.audit.position, number(seq)],
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
      }
      actions={
        <Button
          look="quiet"
          aria-expanded={isOpen}
          aria-label={`${t.common.details}: ${seq}`}
          onClick={() => setOpen(!isOpen)}
        >
          {t.common.details}
        </Button>
      }
    >
      <span class={outcome === 'done' ? 'muted' : styles.notDone}>{t.audit.outcomes[outcome]}</span>
    </ListItem>
  );
}
