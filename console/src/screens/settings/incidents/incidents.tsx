import { useInfiniteQuery } from '@tanstack/preact-query';
import { readPages } from '../../../api/api.js';
import { sinceWhen } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { DataList } from '../../../ui/data-list.js';
import { Empty, Section } from '../../../ui/layout.js';
import { QueryView } from '../../../ui/query-view.js';
import { Sentence } from '../../../ui/sentence.js';
import { SettingsPage } from '../settings-page.js';
import { causeOf, stateOf } from './words.js';

export default function Incidents() {
  return (
    <SettingsPage page="incidents">
      <Part which="open" empty={t.incidents.noneOpen} />
      <Part which="closed" empty={t.incidents.noneClosed} />
    </SettingsPage>
  );
}

function Part({ which, empty }: { which: 'open' | 'closed'; empty: string }) {
  const query = useInfiniteQuery(readPages('/api/incidents', { open: which === 'open', limit: 30 }));
  const title = which === 'open' ? t.incidents.open : t.incidents.closed;
  return (
    <Section title={title}>
      <QueryView query={query}>
        {({ pages }) => (
          <DataList
            label={title}
            name={which}
            rows={pages.flatMap((page) => page.incidents)}
            query={query}
            empty={<Empty>{empty}</Empty>}
            linkOf={(one) => [
              `/settings/incidents/${one.id}`,
              `${one.object.name}: ${causeOf(one)}, ${stateOf(one).word}`,
            ]}
            columns={(of) => [
              of.name(({ object }) => object.name),
              of.text('cause', t.incidents.was, causeOf, { width: 'minmax(0, 2fr)' }),
              of.state(stateOf, '8rem'),
              which === 'open'
                ? of.time('at', t.incidents.since, (one) => one.since)
                : of.time('at', t.incidents.closed, (one) => one.recovered_at),
            ]}
            below={({ open, reason, recovery, snoozed_until }) => (
              <>
                <Sentence {...(recovery ?? reason)} />
                {open && snoozed_until && <div>{t.incidents.snoozedUntil(sinceWhen(snoozed_until))}</div>}
              </>
            )}
          />
        )}
      </QueryView>
    </Section>
  );
}
