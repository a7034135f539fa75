import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { outdate, read, write } from '../../../api/api.js';
import { ownZone } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { CheckField, RadioGroup, SelectField } from '../../../ui/field.js';
import { Form, useAction } from '../../../ui/form.js';
import { Section, Stack } from '../../../ui/layout.js';
import { Notice } from '../../../ui/notice.js';
import { type Old, type Plan, planOf, type Series, takeOver } from './plan.rules.js';
import { PlanFields } from './plan-fields.js';

/** Takes over observed repositories with settings suggested by their archives. */
export function TakeOver() {
  const all = useQuery(read('/api/repositories/')).data?.repositories ?? [];
  const observed = all.filter(({ mode }) => mode === 'observe');
  const [id, setId] = useState('');
  const [done, setDone] = useState<string | null>(null);
  const chosen = observed.find((each) => String(each.id) === id);
  if (observed.length === 0 && !done) return null;
  return (
    <Section title={t.movingIn.takeOver} card>
      <Stack>
        <p>{t.movingIn.takeOverLead(observed.length)}</p>
        {done && (
          <Notice kind="good" live>
            {done}
          </Notice>
        )}
        {observed.length > 0 && (
          <SelectField
            label={t.frame.kinds.repository}
            value={chosen ? id : ''}
            onValue={setId}
            options={[['', ''], ...observed.map((each) => [String(each.id), each.name] as const)]}
          />
        )}
        {chosen && <Suggested key={id} repository={chosen} onDone={setDone} />}
      </Stack>
    </Section>
  );
}

interface SuggestedProps {
  repository: { id: number; name: string };
  onDone: (message: string) => void;
}

function Suggested({ repository, onDone }: SuggestedProps) {
  const query = useQuery({
    ...read('/api/repositories/{repo_id}/suggestions', {
      path: { repo_id: repository.id },
      query: { timezone: ownZone },
    }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const series = query.data?.series;
  const [at, setAt] = useState('0');
  if (query.isPending) return <p class="muted">{t.movingIn.reading}</p>;
  return (
    <Stack>
      {(series?.length ?? 0) > 1 && (
        <SelectField
          label={t.movingIn.series}
          hint={t.movingIn.seriesHint}
          value={at}
          onValue={setAt}
          options={(series ?? []).map(
            ({ prefix, hostname }, n) => [String(n), `${hostname}: ${prefix}…`] as const,
          )}
        />
      )}
      <Taking
        key={at}
        repository={repository}
        series={series?.[Number(at)]}
        isOnly={(series?.length ?? 0) < 2}
        onDone={onDone}
      />
    </Stack>
  );
}

type TakingProps = SuggestedProps & { series: Series | undefined; isOnly: boolean };

function Taking({ repository, series, isOnly, onDone }: TakingProps) {
  const [plan, setPlan] = useState<Plan>(() => planOf(series, repository.name));
  const [old, setOld] = useState<Old>('later');
  const [isOff, setOff] = useState(false);
  // A pattern for everything chooses no series.
  const pattern = isOnly || series?.pattern === '*' ? undefined : series?.pattern;
  const action = useAction(async () => {
    const body = takeOver(plan, { old, isOff, pattern });
    const path = { repo_id: repository.id };
    const { message } = await write('POST', '/api/repositories/{repo_id}/take-over', { path, body });
    outdate('/api/repositories', '/api/schedule', '/api/overview');
    onDone(message);
  });
  return (
    <Form action={action} onSubmit={action.run} submit={t.movingIn.takeOver} disabled={!isOff}>
      <PlanFields plan={plan} series={series} error={action.error} onPlan={setPlan} />
      <RadioGroup
        legend={t.movingIn.oldArchives}
        value={old}
        onValue={setOld}
        options={[
          { value: 'adopt', label: t.movingIn.adopt, hint: t.movingIn.adoptHint },
          { value: 'leave', label: t.movingIn.leave },
          { value: 'later', label: t.movingIn.later },
        ]}
      />
      <CheckField label={t.movingIn.oldOff} hint={t.movingIn.oldOffHint} checked={isOff} onChecked={setOff} />
    </Form>
  );
}
