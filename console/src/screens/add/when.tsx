import { t } from '../../i18n/messages.js';
import { useStore } from '../../store.js';
import { CheckField } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { cronOf, isComplete, keepsAnything } from '../schedules/plan.rules.js';
import { keepInWords, timingInWords } from '../schedules/plan-words.js';
import { PresetField } from '../schedules/retention-fields.js';
import { TimingFields } from '../schedules/timing-fields.js';
import type { Draft } from './draft.rules.js';
import { Step } from './step.js';
import { changeDraft, draft as draftStore } from './wizard.js';

/** When it is backed up, how long archives stay, and how the repository is tested. */
export function When() {
  const draft = useStore(draftStore);
  const { timing, zone, prunes, rules, checks, drills } = draft;
  return (
    <Step
      step="when"
      title={t.add.whenTitle}
      onNext={() => isComplete(timing) && (!prunes || keepsAnything(rules))}
    >
      <TimingFields
        timing={timing}
        onTiming={(next) => changeDraft({ timing: next })}
        zone={zone}
        onZone={(next) => changeDraft({ zone: next })}
        withManual={false}
      />
      <PresetField
        prunes={prunes}
        rules={rules}
        onRetention={(isOn, next) => changeDraft({ prunes: isOn, rules: next })}
      />
      <CheckField
        label={t.add.check}
        hint={t.add.checkHint}
        checked={checks}
        onChecked={(isOn) => changeDraft({ checks: isOn })}
      />
      <CheckField
        label={t.add.drill}
        hint={t.drills.lead}
        checked={drills}
        onChecked={(isOn) => changeDraft({ drills: isOn })}
      />
      <Notice>{planInWords(draft)}</Notice>
    </Step>
  );
}

/** All of it in one sentence. */
export const planInWords = ({ timing, zone, prunes, rules, ...tests }: Draft): string =>
  t.add.plan(timingInWords(cronOf(timing), zone), keepInWords(prunes, rules), tests);
