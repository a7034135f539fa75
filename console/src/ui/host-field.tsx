import { useQuery } from '@tanstack/preact-query';
import { read } from '../api/api.js';
import { useIsLimited } from '../hub/may.js';
import { SelectField } from './field.js';

interface HostFieldProps {
  label: string;
  /** Label of this server. */
  here: string;
  /** The SSH connection; null: this machine. */
  value: number | null;
  onValue: (connection: number | null) => void;
  error?: string | undefined;
}

/** None for limited users. */
export const useHosts = (isNeeded = true) =>
  useQuery({ ...read('/api/ssh-keys/connections'), enabled: !useIsLimited() && isNeeded }).data
    ?.connections ?? [];

export interface NamedHost {
  name: string | null;
  username: string;
  host: string;
}

export const hostName = ({ name, username, host }: NamedHost): string =>
  name === null ? `${username}@${host}` : `${name} (${username}@${host})`;

export const hostOption = (each: NamedHost & { id: number }) => [String(each.id), hostName(each)] as const;

/** This machine, or one that is reached by SSH. */
export const HostField = ({ here, value, onValue, ...rest }: HostFieldProps) => (
  <SelectField
    {...rest}
    value={String(value ?? '')}
    onValue={(id) => onValue(id === '' ? null : Number(id))}
    options={[['', here], ...useHosts().map(hostOption)]}
  />
);
