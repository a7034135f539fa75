import { expect, it } from 'vitest';
import { draftOf } from '../src/screens/settings/notifications/preferences.js';

it('watches all repositories with a new channel', () => {
  expect(draftOf()).toMatchObject({ enabled: true, monitor_all_repositories: true, repository_ids: [] });
});
