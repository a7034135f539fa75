import { useInfiniteQuery } from '@tanstack/preact-query';
import { read, type Schemas } from '../../../api/api.js';
import { bytes, dayOf, duration, exactly, number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { wordFor } from '../../../i18n/sentences.js';
import { Page } from '../../../shell/page.js';
import type { ScreenProps } from '../../../shell/router.js';
import { ButtonLink } from '../../../ui/button.js';
import { DataList } from '../../../ui/data-list.js';
import { Facts, Section } from '../../../ui/layout.js';
import { failureOf, Notice, reasonOf } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { State } from '../../../ui/state.js';
import { type Drill, summaryOf, verdictOf } from './drills.js';

type Result = Schemas['DrillResult'];
const pageFiles = 200;

/** One drill: its verdict, figures, and the result of each file. */
export default function Evidence({ params }: ScreenProps<'id' | 'drill'>) {
  const query = useInfiniteQuery({
    queryKey: ['/api/drills/{drill_id}', params.drill],
    queryFn: ({ pageParam: offset, signal }) => {
      const given = { path: { drill_id: Number(params.drill) }, query: { offset, limit: pageFiles } };
      return read('/api/drills/{drill_id}', given).queryFn({ signal });
    },
    initialPageParam: 0,
    getNextPageParam: ({ results_total }, pages) =>
      pages.length * pageFiles < results_total ? pages.length * pageFiles : null,
  });
  const drill = query.data?.pages[0]?.drill;
  return (
    <Page
      title={drill ? t.drills.of(dayOf(drill.ended_at)) : t.repository.tabs.drills}
      up={[drill?.repository_name ?? t.repository.title, `/repositories/${params.id}/drills`]}
      lead={drill && <State {...verdictOf(drill)} />}
      actions={drill && <ButtonLink href={`/activity/${drill.job_id}`}>{t.drills.openJob}</ButtonLink>}
    >
      <QueryView query={query} gone={t.drills.gone}>
        {({ pages }) => {
          const [first] = pages;
          const results = pages.flatMap((page) => page.results);
          return (
            first && (
              <>
                {first.drill.error_message && <Notice kind="error">{failureOf(first.drill)}</Notice>}
                <Section title={t.common.details} card>
                  <Facts facts={factsOf(first.drill)} />
                </Section>
                {results.length > 0 && (
                  <Section title={t.drills.results}>
                    <DataList
                      label={t.drills.results}
                      rows={results}
                      query={query}
                      keyOf={({ path }) => path}
                      columns={(of) => [
                        of.text('path', t.activity.files, ({ path }) => path, { width: 'minmax(0, 3fr)' }),
                        of.state(({ verdict }) => verdictOf({ verdict: states[verdict] })),
                        of.figure('size', t.repository.columns.size, ({ size }) => size, bytes, '5rem'),
                        of.text('how', t.drills.bySource, howOf),
                      ]}
                      below={reasonOf}
                    />
                  </Section>
                )}
              </>
            )
          );
        }}
      </QueryView>
    </Page>
  );
}

function factsOf(drill: Drill) {
  const count = (name: string, value: number) => (value > 0 ? ([name, number(value)] as const) : null);
  return [
    [t.activity.archive, drill.archive?.name ?? t.common.none],
    [t.activity.ended, exactly(drill.ended_at)],
    [t.activity.took, duration(drill.seconds)],
    [t.activity.requestedBy, wordFor('by', drill.requested_by) ?? drill.requested_by],
    [t.drills.files, summaryOf(drill)],
    count(t.drills.failed, drill.failed_files),
    count(t.drills.bySource, drill.compared_with_source),
    count(t.drills.changed, drill.source_changed),
    count(t.drills.notExamined, drill.not_examined_files),
    drill.coverage_percent === null
      ? null
      : ([t.drills.coverage, `${number(drill.coverage_percent)} %`] as const),
  ] as const;
}

const states = { passed: 'passed', failed: 'failed', not_examined: 'none' } as const;

function howOf({ source, compared_with }: Result): string {
  const isCompared = compared_with === 'source' || source !== 'unchanged';
  return t.drills.sourceStates[(isCompared ? source : 'not_here') as 'changed'];
}
