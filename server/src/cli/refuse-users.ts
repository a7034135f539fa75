import { type InstanceRow, livingInstances } from '@holdfast/core/server';
import type { StorageSession } from '@holdfast/plugin-api';
import { isGone } from '../adapters/instance-facts.js';
import { CommandError } from './exit.js';

/**
 * CommandError while a service uses the storage. A service that was killed on another machine counts until
 * its lease expires.
 */
export async function refuseUsers(session: StorageSession, which = 'this database'): Promise<void> {
  const now = Date.now();
  const living = await livingInstances(session, { now, isGone });
  if (living.length === 0) return;
  const names = living.map((row) => described(row, now)).join(', ');
  throw new CommandError(`Holdfast is using ${which}: ${names}. Stop it first. Nothing was changed.`);
}

const described = ({ host, pid, lease_until }: InstanceRow, now: number) =>
  `process ${pid} on ${host} (if it was killed, wait ${Math.ceil((lease_until - now) / 1000)} s)`;
