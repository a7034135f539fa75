import { describe, expect, it } from 'vitest';
import { addressesOutdatedBy } from '../src/hub/live.rules.js';

describe('an event', () => {
  it.each([
    ['backup_failure', '/api/history'],
    ['backup_warning', '/api/history'],
    ['backup_success', '/api/system/self-backup'],
    ['backup_success', '/api/recovery-sheet'],
    ['damaged', '/api/system/protection'],
    ['damage_over', '/api/system/protection'],
    ['damage_over', '/api/incidents'],
    ['backup_late', '/api/system/protection'],
    ['backup_on_time_again', '/api/overview'],
    ['archives_changed', '/api/archives'],
    ['job_ended', '/api/jobs'],
  ])('%s makes %s outdated', (event, address) => {
    expect(addressesOutdatedBy(event)).toContain(address);
  });

  it('are ignored if a later release added them', () => {
    expect(addressesOutdatedBy('something_new')).toEqual([]);
  });
});
