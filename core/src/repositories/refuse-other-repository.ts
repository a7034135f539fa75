import { conflict } from '../kernel/errors.js';
import type { RepositoryRow } from '../schema/tables.js';

/** AppError `conflict` while another repository is where this one was: what was seen before says nothing of it. */
export function refuseOtherRepository({ open_error, open_error_kind }: RepositoryRow): void {
  if (open_error_kind === 'other_repository')
    throw conflict(open_error ?? 'Another repository is there now.');
}
