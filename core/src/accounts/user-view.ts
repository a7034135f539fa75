import type { UserView } from '@holdfast/contracts';
import type { UserRow } from '../schema/tables.js';
import { isoTime } from '../kernel/iso-time.js';

export const userView = (row: UserRow): UserView => ({
  id: row.id,
  username: row.username,
  email: row.email,
  is_active: row.is_active,
  is_admin: row.is_admin,
  must_change_password: row.must_change_password,
  last_login: isoTime(row.last_login),
  created_at: isoTime(row.created_at),
});
