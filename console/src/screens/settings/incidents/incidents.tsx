import { useInfiniteQuery } from '@tanstack/preact-query';
import { api } from '../../../api/api.js';
import { answer, type Schemas } from '../../../api/client.js';
import { sinceWhen } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { Empty, Section } from '../../../ui/layout.js';
import { List, ListItem } from '../../../ui/list.js';
import { NextPage } from '../../../ui/next-page.js';
import { QueryView } from '../../../ui/query-view.js';
import { Sentence } from '../../../ui/sentence.js';
import { State } from '../../../ui/state.js';
import { Time } from '../../../ui/time.js';
import { causeOf, stateOf } from './words.js';

export default function Incidents() {
  const open = useIncidents(true);
  const closed = useIncidents(false);
  return (
    <Page
      title={t.settings.pages.incidents}
      up={[t.settings.title, '/settings']}
      lead={t.settings.for.incidents}
    >
      <Section title={t.incidents.open}>
        <IncidentList query={open} empty={t.incidents.noneOpen} label={t.incidents.open} />
      </Section>
      <Section title={t.incidents.closed}>
        <IncidentList query={closed} empty={t.incidents.noneClosed} label={t.incidents.closed} />
      </Section>
    </Page>
  );
}

const useIncidents = (open: boolean) =>
  useInfiniteQuery({
    queryKey: ['/api/incidents', open],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET('/api/incidents', {
          params: { query: { open, limit: 30, ...(pageParam && { before: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next_before,
  });

interface ListProps {
  query: ReturnType<typeof useIncidents>;
  empty: string;
  label: string;
}

const IncidentList = ({ query, empty, label }: ListProps) => (
  <>
    <QueryView query={query}>
      {({ pages }) => {
        const incidents = pages.flatMap((page) => page.incidents);
        return incidents.length === 0 ? (
          <Empty>{empty}</Empty>
        ) : (
          <List label={label}>
            {incidents.map((incident) => (
              <Row key={incident.id} incident={incident} />
            ))}
          </List>
        );
      }}
    </QueryView>
    <NextPage query={query} />
  </>
);

function Row({ incident }: { incident: Schemas['IncidentView'] }) {
  const { id, object, open, reason, recovery, snoozed_until } = incident;
  const { state, word } = stateOf(incident);
  const title = `${object.name}: ${causeOf(incident)}`;
  return (
    <ListItem
      href={`/settings/incidents/${id}`}
      label={`${title}, ${word}`}
      title={title}
      note={
        <>
          <Sentence {...(recovery ?? reason)} />
          {open && snoozed_until && <div>{t.incidents.snoozedUntil(sinceWhen(snoozed_until))}</div>}
        </>
      }
    >
      <State state={state} word={word} />
      <span class="muted small">
        <Time plain at={incident.recovered_at ?? incident.since} />
      </span>
    </ListItem>
  );
}
