import type { ApiTokenView } from '@holdfast/contracts';
import type { TokenRow } from '../schema/tables.js';
import { isoTime } from '../kernel/iso-time.js';

export const apiTokenView = (row: TokenRow): ApiTokenView => ({
  id: row.id,
  name: row.name ?? '',
  read_only: row.read_only,
  created_at: isoTime(row.created_at),
  expires_at: isoTime(row.expires_at),
  last_used_at: isoTime(row.last_used_at),
});
