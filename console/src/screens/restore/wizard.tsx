import { useQuery } from '@tanstack/preact-query';
import { useReducer } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { HoldfastError, outdate, write } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { Progress } from '../../ui/progress.js';
import { QueryView } from '../../ui/query-view.js';
import { repositoryQuery } from '../repositories/repository-page.js';
import type { Choice } from './choice.rules.js';
import { Chosen } from './chosen.js';
import { PlanView } from './plan-view.js';
import { begin, isExpired, isOutdated, next, type Order, type Plan } from './restore.rules.js';
import { Steps } from './steps.js';
import { Target } from './target.js';

/** Destination, plan and start: nothing is written before the user has seen a plan. */
export function Wizard({ choice }: { choice: Choice }) {
  const repository = useQuery(repositoryQuery(choice.repositoryId));
  const [, navigate] = useLocation();
  const [state, send] = useReducer(next, begin);
  const plan = async (order: Order) => {
    try {
      send({ type: 'planned', plan: await makePlan(choice, order) });
    } catch (error) {
      send({ type: 'failed', error });
    }
  };
  const renew = (order: Order) => {
    send({ type: 'renew' });
    announce(t.restore.planAgain);
    void plan(order);
  };
  const start = async (order: Order, agreed: Plan) => {
    if (isExpired(agreed, Date.now())) return renew(order);
    send({ type: 'start' });
    try {
      const { job_id } = await write('POST', '/api/restore/start', { body: { plan_id: agreed.plan_id } });
      outdate('/api/jobs', '/api/overview');
      navigate(`/restore?job=${job_id}`);
    } catch (error) {
      if (error instanceof HoldfastError && isOutdated(error.status, error.code)) renew(order);
      else send({ type: 'failed', error });
    }
  };
  return (
    <QueryView query={repository} gone={t.restore.repositoryGone}>
      {({ repository: known }) => (
        <>
          <Steps current={state.step === 'target' ? 'target' : 'plan'} />
          <Chosen choice={choice} repository={known.name} />
          {state.step === 'target' && (
            <Target
              choice={choice}
              repository={known}
              order={state.order}
              error={state.error}
              onOrder={(order) => {
                send({ type: 'order', order });
                void plan(order);
              }}
            />
          )}
          {state.step === 'planning' && <Planning />}
          {(state.step === 'plan' || state.step === 'starting') && (
            <PlanView
              key={state.plan.plan_id}
              order={state.order}
              plan={state.plan}
              changes={state.step === 'plan' ? state.changes : null}
              error={state.step === 'plan' ? state.error : null}
              isStarting={state.step === 'starting'}
              onDecide={(decision) => {
                send({ type: 'decide', decision });
                void plan({ ...state.order, ...decision });
              }}
              onRenew={() => renew(state.order)}
              onStart={() => void start(state.order, state.plan)}
              onBack={() => send({ type: 'back' })}
            />
          )}
        </>
      )}
    </QueryView>
  );
}

const Planning = () => (
  <div>
    <p role="status">{t.restore.planning}</p>
    <Progress percent={null} label={t.restore.planning} />
  </div>
);

const makePlan = ({ repositoryId, archive, paths }: Choice, order: Order): Promise<Plan> =>
  write('POST', '/api/restore/plan', {
    body: {
      repository_id: repositoryId,
      archive,
      paths: paths.includes('') ? [] : [...paths],
      destination: order.destination,
      ...(order.connectionId !== null && { destination_connection_id: order.connectionId }),
      ...(order.kind !== 'back' && { layout: order.layout }),
      overwrite: order.existing === 'replace',
      skip_existing: order.existing === 'skip',
      owners: order.owners,
      accept_low_space: order.acceptLowSpace,
    },
  });
