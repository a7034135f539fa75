import { repositoryTarget } from './repository-target.rules.js';
import type { RepositoryTarget } from '../ports/backup-driver.js';
import type { RepositoryRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { openSecrets, protectSecrets } from './repository-secrets.js';

export interface OpenTarget {
  target: RepositoryTarget;
  /** Ends the protection of the secrets in logs: call it once the tool is done with them. */
  release(): void;
}

/** Opens the sealed secrets of a registered repository; until `release` the redactor hides them. */
export const openTarget =
  ({ secrets, redactor }: Pick<Dependencies, 'secrets' | 'redactor'>) =>
  (row: RepositoryRow): OpenTarget => {
    const opened = openSecrets(secrets, row);
    const release = protectSecrets(redactor, opened);
    const expected = { id: row.tool_id, encryption: row.encryption };
    return { target: { ...repositoryTarget(row, opened), expected }, release };
  };
