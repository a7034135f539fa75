import { t } from '../../../i18n/messages.js';
import { CheckField, TextArea, TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { Row } from '../../../ui/layout.js';
import { More } from '../../../ui/more.js';
import { Notice } from '../../../ui/notice.js';
import { Sentence } from '../../../ui/sentence.js';
import { type Plan, rules, type Series } from './plan.rules.js';

interface PlanFieldsProps {
  plan: Plan;
  series: Series | undefined;
  error: unknown;
  onPlan: (plan: Plan) => void;
}

/** What is suggested, and why, to be changed. */
export function PlanFields({ plan, series, error, onPlan }: PlanFieldsProps) {
  const set = (change: Partial<Plan>) => onPlan({ ...plan, ...change });
  const { rhythm, retention, remarks = [], evidence = [] } = series ?? {};
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
      <TextArea
        label={t.movingIn.sources}
        value={plan.sources}
        onValue={(sources) => set({ sources })}
        error={errorAt(error, 'source_directories')}
        spellcheck={false}
        code
      />
      <TextArea
        label={t.movingIn.excludes}
        value={plan.excludes}
        onValue={(excludes) => set({ excludes })}
        error={errorAt(error, 'exclude_patterns')}
        spellcheck={false}
        code
      />
      <TextField
        label={t.movingIn.schedule}
        value={plan.name}
        onValue={(name) => set({ name })}
        error={errorAt(error, 'name')}
      />
      <TextField
        label={t.movingIn.cron}
        hint={rhythm ? t.movingIn.fromArchives(rhythm.archives) : undefined}
        value={plan.cron}
        onValue={(cron) => set({ cron })}
        error={errorAt(error, 'cron_expression')}
      />
      <CheckField
        label={t.movingIn.prunes}
        hint={retention ? t.movingIn.fromLeft : undefined}
        checked={plan.prunes}
        onChecked={(prunes) => set({ prunes })}
      />
      {plan.prunes && (
        <Row>
          {rules.map((rule) => (
            <TextField
              key={rule}
              type="number"
              min={0}
              label={t.movingIn.keep[rule]}
              value={plan.keep[rule]}
              onValue={(count) => set({ keep: { ...plan.keep, [rule]: count } })}
            />
          ))}
        </Row>
      )}
      {evidence.length > 0 && (
        <More label={t.movingIn.evidence}>
          <pre class="small">{evidence.join(' ')}</pre>
        </More>
      )}
    </>
  );
}
