import type { RestoreOrder } from './restore.rules.js';
import { notFound } from '../kernel/errors.js';
import type { BackupDriver, OperationOptions, RepositoryTarget } from '../ports/backup-driver.js';
import { Survey } from './stage/survey.js';
import type { RestoreTarget } from './stage/target.js';

export interface SurveyRequest {
  target: RepositoryTarget;
  order: RestoreOrder;
  place: RestoreTarget;
  options: OperationOptions;
}

/** Reads the archive's list and looks at the target. AppError `not_found` for a chosen path that is not there. */
export async function surveyArchive(
  driver: Pick<BackupDriver, 'listEntries'>,
  { target, order, options, place }: SurveyRequest,
): Promise<Survey> {
  const survey = new Survey(order, place);
  const entries = () => driver.listEntries(target, { archive: order.archive }, options);
  await survey.addAll(entries());
  const [missing] = survey.selection.missing;
  if (missing !== undefined) throw notFound(`Archive ${order.archive} has no path ${missing}.`);
  if (survey.hasUnchosen) await survey.addUnchosen(entries());
  return survey;
}
