import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { bytes, number, timeOf } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Facts, Row, Section, Stack } from '../../ui/layout.js';
import { ErrorNotice, Notice } from '../../ui/notice.js';
import { Meter } from '../../ui/progress.js';
import { coded, Sentence } from '../../ui/sentence.js';
import { Confirm } from './confirm.js';
import { Findings } from './findings.js';
import styles from './restore.module.css';
import {
  type Change,
  type Decision,
  entriesOf,
  fits,
  isExpired,
  isUndecided,
  type Order,
  type Plan,
} from './restore.rules.js';

interface PlanProps {
  order: Order;
  plan: Plan;
  /** The differences to the plan that this one replaced. */
  changes: Change[] | null;
  error: unknown;
  isStarting: boolean;
  onDecide: (decision: Decision) => void;
  onRenew: () => void;
  onStart: () => void;
  onBack: () => void;
}

/** The effect of the restore: whether it can start, its size, and anything unusual. */
export function PlanView({
  order,
  plan,
  changes,
  error,
  isStarting,
  onDecide,
  onRenew,
  onStart,
  onBack,
}: PlanProps) {
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => head.current?.focus(), []);
  const expired = useExpired(plan);
  return (
    <Stack>
      <div ref={head} tabIndex={-1} class={styles.head}>
        {changes && <Changes changes={changes} />}
        {plan.can_start ? (
          <Notice kind="good" title={t.restore.canStart}>
            {t.restore.holdsUntil(timeOf(plan.expires_at))}
          </Notice>
        ) : isUndecided(order, plan) ? (
          <Notice title={t.restore.decide} />
        ) : (
          <Notice
            kind="error"
            title={t.restore.cannotStart}
            action={
              !fits(plan) && (
                <Button onClick={() => onDecide({ acceptLowSpace: true })}>{t.restore.tryLowSpace}</Button>
              )
            }
          >
            <ul>
              {plan.obstacles.map((text, at) => (
                <li key={text}>
                  <Sentence {...coded(text, plan.obstacle_codes[at])} />
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
      <Section title={t.restore.figures} quiet card>
        <Stack>
          <Facts facts={figuresOf(order, plan)} />
          <Room plan={plan} />
        </Stack>
      </Section>
      <Findings order={order} plan={plan} onDecide={onDecide} />
      {error ? <ErrorNotice error={error} /> : null}
      {expired ? (
        <Notice kind="warning" live action={<Button onClick={onRenew}>{t.restore.renew}</Button>}>
          {t.restore.expired}
        </Notice>
      ) : (
        plan.can_start && (
          <Confirm order={order} plan={plan} isStarting={isStarting} onStart={onStart} onBack={onBack} />
        )
      )}
      {(expired || !plan.can_start) && (
        <Row end>
          <Button onClick={onBack}>{t.restore.otherTarget}</Button>
        </Row>
      )}
    </Stack>
  );
}

function useExpired(plan: Plan): boolean {
  const [expired, setExpired] = useState(isExpired(plan, Date.now()));
  useEffect(() => {
    const timer = setTimeout(() => setExpired(true), Math.max(0, Date.parse(plan.expires_at) - Date.now()));
    return () => clearTimeout(timer);
  }, [plan]);
  return expired;
}

function Changes({ changes }: { changes: Change[] }) {
  const shown = ({ figure, before, after }: Change): string => {
    if (figure === 'free') return after ? t.restore.fitsAgain : t.restore.fitsNoMore;
    const format = figure === 'bytes' ? bytes : number;
    return t.restore.change(t.restore.changed[figure], format(before), format(after));
  };
  return (
    <Notice kind="info" live title={t.restore.planRenewed}>
      {changes.length === 0 ? (
        t.restore.nothingChanged
      ) : (
        <ul>
          {changes.map((change) => (
            <li key={change.figure}>{shown(change)}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

type Fact = readonly [string, ComponentChildren] | null;

function figuresOf({ kind }: Order, plan: Plan): Fact[] {
  const count = (name: string, value: number): Fact => (value > 0 ? [name, number(value)] : null);
  return [
    [
      kind === 'back' ? t.restore.toOrigin : t.restore.target,
      <bdi key="target" class={styles.path}>
        {plan.destination_host && `${plan.destination_host}: `}
        {kind === 'back' ? (plan.writes_to ?? '/') : plan.destination}
      </bdi>,
    ],
    [t.activity.files, number(plan.files)],
    count(t.restore.folders, plan.directories),
    count(t.restore.links, plan.links),
    count(t.restore.others, plan.others),
    [t.browse.size, bytes(plan.bytes)],
  ];
}

function Room({ plan }: { plan: Plan }) {
  if (plan.free_bytes === null || entriesOf(plan) === 0) return null;
  const words = t.restore.room(bytes(plan.bytes), bytes(plan.free_bytes));
  return (
    <div>
      <Meter percent={(100 * plan.bytes) / Math.max(1, plan.free_bytes)} label={words} full={!fits(plan)} />
      <p class="muted small">{words}</p>
    </div>
  );
}
