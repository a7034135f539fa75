import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { t } from '../../i18n/messages.js';
import { navigations } from '../../shell/navigation.js';
import { Page } from '../../shell/page.js';
import { Button } from '../../ui/button.js';
import { focusInvalid } from '../../ui/field-errors.js';
import { Halted, useHalted } from '../../ui/halted.js';
import { Row, Stack } from '../../ui/layout.js';
import styles from './add.module.css';
import { type Step as Name, steps } from './draft.rules.js';
import { noteAct } from './wizard.js';

interface StepProps {
  step: Name;
  title: string;
  lead?: ComponentChildren;
  /** @returns whether the person may go on; if not, the step shows why. */
  onNext: () => boolean | Promise<boolean>;
  next?: string;
  isBusy?: boolean;
  /** False once something is made. */
  withBack?: boolean;
  /** Beside Next. */
  buttons?: ComponentChildren;
  children: ComponentChildren;
}

export const addressOf = (step: Name): string => (step === 'what' ? '/add' : `/add?step=${step}`);

/** One screen of the wizard. Enter continues, as in any form; the first invalid field gets the focus. */
export function Step({
  step,
  title,
  lead,
  onNext,
  next,
  isBusy,
  withBack = true,
  buttons,
  children,
}: StepProps) {
  const [, navigate] = useLocation();
  const isHalted = useHalted();
  const form = useRef<HTMLFormElement>(null);
  const index = steps.indexOf(step);
  const before = steps[index - 1];
  const after = steps[index + 1];
  useEffect(() => scrollTo(0, 0), []);
  // Immediately: a moment later, the user may be typing in another field.
  const [refusals, setRefusals] = useState(0);
  useLayoutEffect(() => {
    if (refusals > 0) focusInvalid(form.current);
  }, [refusals]);
  const submit = async () => {
    if (isBusy || (isHalted && !after)) return;
    noteAct();
    if (!(await onNext())) return setRefusals((count) => count + 1);
    // Also after a reload, the heading of a step takes the focus.
    navigations.count += 1;
    if (after) navigate(addressOf(after));
  };
  return (
    <Page
      title={title}
      narrow
      lead={
        <>
          <p class="small">{after ? t.add.stepOf(index + 1, steps.length - 1) : t.add.title}</p>
          {lead}
        </>
      }
    >
      <ol class={styles.steps} aria-hidden="true">
        {steps.slice(0, -1).map((name, at) => (
          <li key={name} class={at <= index ? styles.reached : undefined} />
        ))}
      </ol>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack>
          {children}
          {!after && <Halted />}
          <Row end stays>
            {before && withBack && (
              <Button onClick={() => navigate(addressOf(before))}>{t.common.back}</Button>
            )}
            {buttons}
            <Button type="submit" look="primary" busy={isBusy} disabled={isHalted && !after}>
              {next ?? t.common.next}
            </Button>
          </Row>
        </Stack>
      </form>
    </Page>
  );
}
