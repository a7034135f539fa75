import { longestTest, type ScriptRunResult, type ScriptTest } from '@holdfast/contracts';
import { invalid } from '../kernel/index.js';
import type { ScriptOrder, ScriptResult } from '../ports/script-runner.js';
import { findRepository, repositoryVariables } from '../repositories/index.js';
import { findScript } from './find-script.js';
import type { HooksNeeds } from './needs.js';
import { openValues, sealValues } from './parameter-values.js';
import { protect } from './run-hooks.js';

type Needs = Pick<HooksNeeds, 'storage' | 'secrets' | 'redactor' | 'scriptRunner'>;

const textTestSeconds = 30;

/**
 * Runs a library script once, with values as in an attachment. Stops when `signal` is aborted. Throws
 * AppError `not_found`, `invalid`.
 */
export const testScript =
  (needs: Needs) =>
  async (id: number, input: ScriptTest, signal: AbortSignal): Promise<ScriptRunResult> => {
    const { storage, secrets } = needs;
    const script = await findScript(storage, id);
    const given = input.parameter_values ?? {};
    const values = openValues(secrets, script, sealValues(secrets, script, { given, stored: null }));
    const environment = { ...values.environment, ...(await variablesOf(storage, input)) };
    const timeoutSeconds = input.timeout ?? Math.min(script.timeout, longestTest);
    const order = { content: script.content, environment, timeoutSeconds, signal };
    return answerOf(needs, order, values.secrets);
  };

/** Runs a script text once, without the service's environment. Throws AppError `invalid` on timeout. */
export const testText =
  (needs: Needs) =>
  async (content: string, signal: AbortSignal): Promise<ScriptRunResult> => {
    const order = {
      ...{ content, signal, timeoutSeconds: textTestSeconds },
      environment: { HOME: '/tmp', TMPDIR: '/tmp' },
    };
    const result = await answerOf(needs, order, []);
    if (result.exit_code === -1) throw invalid(result.message);
    return result;
  };

async function variablesOf(
  storage: Needs['storage'],
  { repository_id }: ScriptTest,
): Promise<Record<string, string>> {
  if (repository_id == null) return {};
  return repositoryVariables(storage, await findRepository(storage, { repository_id }));
}

async function answerOf(
  needs: Needs,
  order: ScriptOrder,
  secrets: readonly string[],
): Promise<ScriptRunResult> {
  const release = protect(needs, secrets);
  try {
    const result = await needs.scriptRunner.run(order);
    return {
      success: result.end === 'exited' && result.exitCode === 0,
      exit_code: result.exitCode,
      stdout: needs.redactor.redact(result.stdout),
      stderr: needs.redactor.redact(result.stderr),
      execution_time: result.seconds,
      message: messageOf(result, order),
    };
  } finally {
    release();
  }
}

function messageOf({ end, exitCode, problem }: ScriptResult, { timeoutSeconds }: ScriptOrder): string {
  if (end === 'exited') return `The script exited with code ${exitCode}.`;
  if (end === 'timed_out') return `The script was stopped after its timeout of ${timeoutSeconds} seconds.`;
  return end === 'aborted'
    ? 'The script was stopped before it finished.'
    : (problem ?? 'The script did not start.');
}
