import { t } from '../../../i18n/messages.js';
import { fieldsOf } from '../../../ui/draft.js';
import { errorAt, TextArea, TextField } from '../../../ui/field.js';
import { FoldersField } from '../../../ui/folders-field.js';
import { More } from '../../../ui/more.js';
import { Notice, Sentence } from '../../../ui/notice.js';
import { RetentionFields } from '../../schedules/retention-fields.js';
import type { Plan, Series } from './plan.rules.js';

interface PlanFieldsProps {
  plan: Plan;
  series: Series | undefined;
  error: unknown;
  onPlan: (plan: Plan) => void;
}

export function PlanFields({ plan, series, error, onPlan }: PlanFieldsProps) {
  const set = (change: Partial<Plan>) => onPlan({ ...plan, ...change });
  const { rhythm, retention, remarks = [], evidence = [] } = series ?? {};
  const field = fieldsOf(plan, set, error);
  return (
    <>
      {remarks.length > 0 && (
        <Notice kind="warning">
          {remarks.map((remark) => (
            <div key={remark.text}>
              <Sentence {...remark} />
            </div>
          ))}
        </Notice>
      )}
      <FoldersField
        legend={t.add.folders}
        value={plan.sources}
        onValue={(sources) => set({ sources })}
        error={errorAt(error, 'source_directories')}
      />
      <TextArea
        label={t.sources.fields.exclude_patterns}
        hint={t.sources.hints.exclude_patterns}
        value={plan.excludes}
        onValue={(excludes) => set({ excludes })}
        error={errorAt(error, 'exclude_patterns')}
        code
      />
      <TextField label={t.movingIn.schedule} {...field.value('name')} />
      <TextField
        label={t.plan.cron}
        hint={rhythm ? t.movingIn.fromArchives(rhythm.archives) : t.plan.cronHint}
        value={plan.cron}
        onValue={(cron) => set({ cron })}
        error={errorAt(error, 'cron_expression')}
      />
      <RetentionFields
        prunes={plan.prunes}
        rules={plan.keep}
        onRetention={(prunes, keep) => set({ prunes, keep })}
      >
        {retention && <p class="muted small">{t.movingIn.fromLeft}</p>}
      </RetentionFields>
      {evidence.length > 0 && (
        <More label={t.movingIn.evidence}>
          <pre class="small">{evidence.join(' ')}</pre>
        </More>
      )}
    </>
  );
}
