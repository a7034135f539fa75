import { useInfiniteQuery } from '@tanstack/preact-query';
import { api } from '../../../api/api.js';
import { answer, type Schemas } from '../../../api/client.js';
import { bytes, dayOf, duration, exactly, number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { wordFor } from '../../../i18n/sentences.js';
import { Page } from '../../../shell/page.js';
import type { ScreenProps } from '../../../shell/router.js';
import { ButtonLink } from '../../../ui/button.js';
import { Facts, Section } from '../../../ui/layout.js';
import { List, ListItem } from '../../../ui/list.js';
import { NextPage } from '../../../ui/next-page.js';
import { Notice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { Sentence } from '../../../ui/sentence.js';
import { type Drill, summaryOf, Verdict } from './drills.js';

type Result = Schemas['DrillResult'];
const pageFiles = 200;

/** One drill: its verdict, figures, and the result of each file. */
export default function Evidence({ params }: ScreenProps<'id' | 'drill'>) {
  const query = useInfiniteQuery({
    queryKey: ['/api/drills/{drill_id}', params.drill],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET('/api/drills/{drill_id}', {
          params: {
            path: { drill_id: Number(params.drill) },
            query: { offset: pageParam, limit: pageFiles },
          },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ results_total }, pages) =>
      pages.length * pageFiles < results_total ? pages.length * pageFiles : null,
  });
  const drill = query.data?.pages[0]?.drill;
  return (
    <Page
      title={drill ? t.drills.of(dayOf(drill.ended_at)) : t.repository.tabs.drills}
      up={[drill?.repository_name ?? t.repository.title, `/repositories/${params.id}/drills`]}
      lead={drill && <Verdict verdict={drill.verdict} />}
      actions={drill && <ButtonLink href={`/activity/${drill.job_id}`}>{t.drills.openJob}</ButtonLink>}
    >
      <QueryView query={query} gone={t.drills.gone}>
        {({ pages }) => {
          const [first] = pages;
          const results = pages.flatMap((page) => page.results);
          return (
            first && (
              <>
                {first.drill.error_message && (
                  <Notice kind="error">
                    <Sentence
                      code={first.drill.error_code}
                      params={first.drill.error_params}
                      text={first.drill.error_message}
                    />
                  </Notice>
                )}
                <Section title={t.common.details} card>
                  <Facts facts={factsOf(first.drill)} />
                </Section>
                {results.length > 0 && (
                  <Section title={t.drills.results}>
                    <List label={t.drills.results}>
                      {results.map((result) => (
                        <ResultRow key={result.path} result={result} />
                      ))}
                    </List>
                  </Section>
                )}
              </>
            )
          );
        }}
      </QueryView>
      <NextPage query={query} wide />
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

function ResultRow({ result }: { result: Result }) {
  const { path, size, sha256, verdict, reason, compared_with } = result;
  const isCompared = compared_with === 'source' || result.source !== 'unchanged';
  const how = t.drills.sourceStates[(isCompared ? result.source : 'not_here') as 'changed'];
  return (
    <ListItem
      title={<bdi>{path}</bdi>}
      note={
        reason ? (
          <Sentence code={result.reason_code} params={result.reason_params} text={reason} />
        ) : (
          <span title={sha256 ? `SHA-256 ${sha256}` : undefined}>
            {bytes(size)} · {how}
          </span>
        )
      }
    >
      <Verdict verdict={states[verdict]} />
    </ListItem>
  );
}
