import { useQuery } from '@tanstack/preact-query';
import { read } from '../api/api.js';
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

export const useHosts = () => useQuery(read('/api/ssh-keys/connections')).data?.connections ?? [];

export const hostOption = ({ id, username, host }: { id: number; username: string; host: string }) =>
  [String(id), `${username}@${host}`] as const;

/** This machine, or one that is reached by SSH. */
export const HostField = ({ here, value, onValue, ...rest }: HostFieldProps) => (
  <SelectField
    {...rest}
    value={String(value ?? '')}
    onValue={(id) => onValue(id === '' ? null : Number(id))}
    options={[['', here], ...useHosts().map(hostOption)]}
  />
);
