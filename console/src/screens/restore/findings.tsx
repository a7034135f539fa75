import type { ComponentChildren } from 'preact';
import { list, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Notice } from '../../ui/notice.js';
import { coded, Sentence } from '../../ui/sentence.js';
import styles from './restore.module.css';
import type { Decision, Existing, Order, Plan } from './restore.rules.js';

interface FindingsProps {
  order: Order;
  plan: Plan;
  onDecide: (decision: Decision) => void;
}

/** Facts and decisions before the start, without any that are zero. */
export function Findings({ order, plan, onDecide }: FindingsProps) {
  const { collisions, blocked, links_leaving: leaving, damaged_files: damaged, owners } = plan;
  return (
    <>
      {collisions.count > 0 && (
        <Notice
          kind="warning"
          title={t.restore.exist(collisions.count, number(collisions.count))}
          action={<Decide existing={order.existing} onExisting={(existing) => onDecide({ existing })} />}
        >
          <p>{t.restore.alike(number(plan.alike_files), number(collisions.count - plan.alike_files))}</p>
          {order.existing !== 'stop' && <p>{t.restore.existing[order.existing]}</p>}
          <Examples count={collisions.count} paths={collisions.examples} />
        </Notice>
      )}
      {blocked.count > 0 && (
        <Notice kind="error" title={t.restore.blocked(blocked.count, number(blocked.count))}>
          <Examples
            count={blocked.count}
            paths={blocked.examples.map(({ path, reason }) => ({ path, more: reason }))}
          />
        </Notice>
      )}
      {damaged > 0 && (
        <Notice kind="warning" title={t.restore.damaged(damaged, number(damaged))}>
          {t.restore.damagedMeans}
        </Notice>
      )}
      {leaving.count > 0 && (
        <Notice title={t.restore.leaving(leaving.count, number(leaving.count))}>
          <Examples
            count={leaving.count}
            paths={leaving.examples.map(({ path, target }) => ({ path, more: target }))}
          />
        </Notice>
      )}
      {plan.without_name > 0 && (
        <Notice>{t.restore.withoutName(plan.without_name, number(plan.without_name))}</Notice>
      )}
      {plan.remarks.map((text, at) => (
        <Notice
          key={text}
          action={
            plan.remark_codes[at]?.code.startsWith('owners_by_') && (
              <Button onClick={() => onDecide({ owners: order.owners === 'names' ? 'numbers' : 'names' })}>
                {t.restore.ownersBy[order.owners]}
              </Button>
            )
          }
        >
          <Sentence {...coded(text, plan.remark_codes[at])} />
        </Notice>
      ))}
      {!owners.can_be_set && (
        <Notice>{t.restore.owners(list(owners.owners.map(({ owner }) => owner)))}</Notice>
      )}
    </>
  );
}

function Decide({ existing, onExisting }: { existing: Existing; onExisting: (existing: Existing) => void }) {
  return (
    <>
      {existing !== 'skip' && <Button onClick={() => onExisting('skip')}>{t.restore.skipThose}</Button>}
      {existing !== 'replace' && (
        <Button look="danger" onClick={() => onExisting('replace')}>
          {t.restore.replaceThose}
        </Button>
      )}
    </>
  );
}

interface ExamplesProps {
  count: number;
  paths: readonly { path: string; more?: ComponentChildren }[];
}

const Examples = ({ count, paths }: ExamplesProps) => (
  <details class={styles.examples}>
    <summary>{t.restore.which}</summary>
    <ul class={styles.path}>
      {paths.map(({ path, more }) => (
        <li key={path}>
          <bdi>{path}</bdi>
          {more && (
            <>
              {' '}
              – <bdi>{more}</bdi>
            </>
          )}
        </li>
      ))}
      {count > paths.length && <li>{t.folders.andMore(number(count - paths.length))}</li>}
    </ul>
  </details>
);
