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
 * Runs a script of the library once, with values as an attachment would have them. It ends when `signal` is
 * aborted. AppError `not_found`, `invalid`.
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

/**
 * Runs a text once, in an environment without anything of the service. AppError `invalid` when it takes too
 * long.
 */
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
  if (end === 'exited') return `The script ended with exit code ${exitCode}.`;
  if (end === 'timed_out') return `The script was ended: it took longer than ${timeoutSeconds} seconds.`;
  return end === 'aborted'
    ? 'The script was ended before it was done.'
    : (problem ?? 'The script did not start.');
}
