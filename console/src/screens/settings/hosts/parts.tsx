import { readTagged, type Schemas, useRead } from '../../../api/api.js';
import { bytes, number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { fieldsOf } from '../../../ui/draft.js';
import { CheckField, errorAt, SelectField, TextField } from '../../../ui/field.js';
import { Stack } from '../../../ui/layout.js';
import { Meter } from '../../../ui/progress.js';
import type { StateName } from '../../../ui/state.js';
import styles from './hosts.module.css';

export type Connection = Schemas['ConnectionView'];

export const connectionQuery = (id: number) =>
  readTagged('/api/ssh-keys/connections/{connection_id}', { path: { connection_id: id } });

const states: Record<Connection['status'], StateName> = {
  unknown: 'unknown',
  testing: 'running',
  connected: 'protected',
  failed: 'late',
  host_key_changed: 'damaged',
};

export const stateOf = (status: Connection['status']): { state: StateName; word: string } => ({
  state: states[status],
  word: t.hosts.states[status],
});

/** As ssh writes it; the port only if it is another than usual. */
export const addressOf = ({ username, host, port }: Pick<Connection, 'username' | 'host' | 'port'>): string =>
  `${username}@${host}${port === 22 ? '' : `:${port}`}`;

export const nameOf = ({ name, ...address }: Connection): string => name ?? addressOf(address);

interface JumpProps {
  /** The connection that is changed: no way leads through itself. */
  own?: number;
  value: number | null;
  onValue: (id: number | null) => void;
  error: string | undefined;
}

/** The jump host of this one; hidden if there is no other host. */
export function JumpField({ own, value, onValue, ...rest }: JumpProps) {
  const query = useRead('/api/ssh-keys/connections');
  const others = (query.data?.connections ?? []).filter(({ id }) => id !== own);
  if (others.length === 0) return null;
  return (
    <SelectField
      label={t.hosts.fields.jump_connection_id}
      hint={t.hosts.hints.jump_connection_id}
      {...rest}
      value={String(value ?? '')}
      onValue={(id) => onValue(id === '' ? null : Number(id))}
      options={[['', t.hosts.direct], ...others.map((each) => [String(each.id), nameOf(each)] as const)]}
    />
  );
}

/** How full the storage of the host is: in words, and as a bar. */
export function Room({ storage }: { storage: Schemas['RemoteStorage'] }) {
  const text = t.hosts.free(bytes(storage.available), bytes(storage.total));
  return (
    <span class={styles.room}>
      <Meter
        percent={storage.percent_used}
        label={t.hosts.used(number(Math.round(storage.percent_used)))}
        full={storage.percent_used > 90}
      />
      <span class="muted small">{text}</span>
    </span>
  );
}

export interface Restriction {
  isOn: boolean;
  path: string;
  appendOnly: boolean;
}
export const noRestriction: Restriction = { isOn: false, path: '', appendOnly: true };

/** As the body of a request has it. */
export const restrictOf = ({ isOn, path, appendOnly }: Restriction) =>
  isOn ? { restrict: { path: path.trim(), append_only: appendOnly } } : {};

interface RestrictionProps {
  value: Restriction;
  onValue: (value: Restriction) => void;
  error: unknown;
}

/** Restrictions of the key on the host, with their consequences. */
export const RestrictionFields = ({ value, onValue, error }: RestrictionProps) => {
  const field = fieldsOf(value, (part) => onValue({ ...value, ...part }));
  return (
    <Stack tight>
      <CheckField label={t.hosts.restrict} hint={t.hosts.restrictHint} {...field.check('isOn')} />
      {value.isOn && (
        <div class={styles.inner}>
          <TextField
            label={t.hosts.restrictPath}
            required
            placeholder="/backups"
            exact
            {...field.value('path')}
            error={errorAt(error, 'restrict')}
          />
          <CheckField
            label={t.hosts.appendOnly}
            hint={t.hosts.appendOnlyHint}
            {...field.check('appendOnly')}
          />
        </div>
      )}
    </Stack>
  );
};
