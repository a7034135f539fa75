import { longestTest, type ScriptRunResult, type ScriptTest } from '@holdfast/contracts';
import { invalid, type Message, say, shownMessage } from '../../foundation/kernel/index.js';
import type { ScriptOrder, ScriptResult } from '../../foundation/ports/script-runner.js';
import { findRepository, repositoryVariables } from '../repositories/index.js';
import { findScript } from './find-script.js';
import type { HooksNeeds } from './needs.js';
import { openValues, sealValues } from './parameter-values.js';
import { protect } from './run-hooks.js';
import { notNow } from './script.rules.js';

const textTestSeconds = 30;

/**
 * Runs a library script once, with values as in an attachment. Stops when `signal` is aborted. Throws
 * AppError `not_found`, `invalid`.
 */
export async function testScript(
  needs: HooksNeeds,
  id: number,
  input: ScriptTest,
  signal: AbortSignal,
): Promise<ScriptRunResult> {
  const { storage, secrets } = needs;
  const script = await findScript(storage, id);
  const given = input.parameter_values ?? {};
  const values = openValues(secrets, script, sealValues(secrets, script, { given, stored: null }));
  const environment = { ...values.environment, ...(await variablesOf(storage, input)) };
  const timeoutSeconds = input.timeout ?? Math.min(script.timeout, longestTest);
  const order = { content: script.content, environment, timeoutSeconds, signal };
  return (await runOnce(needs, order, values.secrets)).answer;
}

/** Runs a script text once, without the service's environment. Throws AppError `invalid` on timeout. */
export async function testText(
  needs: HooksNeeds,
  content: string,
  signal: AbortSignal,
): Promise<ScriptRunResult> {
  const order = {
    content,
    signal,
    timeoutSeconds: textTestSeconds,
    environment: { HOME: '/tmp', TMPDIR: '/tmp' },
  };
  const { answer, message } = await runOnce(needs, order, []);
  if (answer.exit_code === -1) throw invalid(message);
  return answer;
}

async function variablesOf(
  storage: HooksNeeds['storage'],
  { repository_id }: ScriptTest,
): Promise<Record<string, string>> {
  if (repository_id == null) return {};
  return repositoryVariables(storage, await findRepository(storage, { repository_id }));
}

async function runOnce(
  needs: HooksNeeds,
  order: ScriptOrder,
  secrets: readonly string[],
): Promise<{ answer: ScriptRunResult; message: Message }> {
  const release = protect(needs, secrets);
  try {
    const result = await needs.scriptRunner.run(order);
    const message = messageOf(result, order);
    const answer = {
      success: result.end === 'exited' && result.exitCode === 0,
      exit_code: result.exitCode,
      stdout: needs.redactor.redact(result.stdout),
      stderr: needs.redactor.redact(result.stderr),
      execution_time: result.seconds,
      ...shownMessage(message),
    };
    return { answer, message };
  } finally {
    release();
  }
}

function messageOf({ end, exitCode, problem }: ScriptResult, { timeoutSeconds }: ScriptOrder): Message {
  if (end === 'exited' && exitCode === notNow)
    return say`script_postpones: The script exited with code ${{ code: exitCode }}, which means "not now": before a backup, it would skip the backup, and nothing fails.`;
  if (end === 'exited') return say`script_exited: The script exited with code ${{ code: exitCode }}.`;
  if (end === 'timed_out')
    return say`script_timed_out: The script was stopped after its timeout of ${{ seconds: timeoutSeconds }} seconds.`;
  if (end === 'aborted') return say`script_aborted: The script was stopped before it finished.`;
  return problem === null
    ? say`script_not_started: The script did not start.`
    : say`script_not_startable: ${{ problem }}`;
}
