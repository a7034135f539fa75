import type { ComponentChildren } from 'preact';
import { t } from '../../i18n/messages.js';
import { RadioGroup, SelectField } from '../../ui/field.js';
import { Stack } from '../../ui/layout.js';
import { More } from '../../ui/more.js';
import { Notice } from '../../ui/notice.js';
import { Stepper } from '../../ui/stepper.js';
import styles from './plan.module.css';
import { type Count, counts, type Keep, keepsAnything, presetOf, presets } from './plan.rules.js';
import { keepInWords, withinInWords } from './plan-words.js';

interface RetentionProps {
  prunes: boolean;
  rules: Keep;
  onRetention: (prunes: boolean, rules: Keep) => void;
  /** Shown next to the counts: their effect. */
  children?: ComponentChildren;
}

const first: readonly Count[] = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'];

/** How long archives are kept: a preset, or counts of one's own. */
export function RetentionFields({ prunes, rules, onRetention, children }: RetentionProps) {
  const preset = presetOf(prunes, rules);
  const stepper = (count: Count) => (
    <Stepper
      key={count}
      label={t.maintenance.prune.keep[count]}
      {...(rules[`prune_keep_${count}`] < 0 && { hint: t.plan.noLimit })}
      min={-1}
      value={rules[`prune_keep_${count}`]}
      onValue={(value) => onRetention(true, { ...rules, [`prune_keep_${count}`]: value })}
    />
  );
  const needsMore = rules.prune_keep_quarterly !== 0 || rules.prune_keep_within !== null;
  return (
    <div class={styles.retention}>
      <Stack>
        <PresetField {...{ prunes, rules, onRetention }} />
        {prunes && (
          <More label={t.plan.ownCounts} open={preset === undefined}>
            <Stack>
              <div class={styles.steppers}>{(needsMore ? counts : first).map(stepper)}</div>
              {rules.prune_keep_within !== null && (
                <SelectField
                  label={t.plan.within}
                  value={rules.prune_keep_within}
                  onValue={(value) => onRetention(true, { ...rules, prune_keep_within: value || null })}
                  options={[
                    ['', t.common.none],
                    [rules.prune_keep_within, withinInWords(rules.prune_keep_within)],
                  ]}
                />
              )}
            </Stack>
          </More>
        )}
        {prunes && !keepsAnything(rules) && <Notice kind="error">{t.plan.keepsNothing}</Notice>}
      </Stack>
      <Stack>{children}</Stack>
    </div>
  );
}

export function PresetField({ prunes, rules, onRetention }: Omit<RetentionProps, 'children'>) {
  const names = Object.keys(presets) as (keyof typeof presets)[];
  return (
    <RadioGroup
      legend={t.plan.keep}
      value={presetOf(prunes, rules)}
      onValue={(name) =>
        name === 'everything' ? onRetention(false, rules) : onRetention(true, presets[name])
      }
      options={[
        ...names.map((name) => ({
          value: name,
          label: t.plan.presets[name],
          hint: keepInWords(true, presets[name]),
        })),
        { value: 'everything' as const, label: t.plan.presets.everything, hint: t.plan.everythingMeans },
      ]}
    />
  );
}
