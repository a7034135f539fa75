import { beforeEach, describe, expect, it } from 'vitest';
import { sshConnections } from '../../src/backup/ssh/tables.js';
import { makeScene, type Scene } from './hook-scene.js';

let scene: Scene;
beforeEach(() => {
  scene = makeScene();
});

async function begin(source_connection_id: number | null) {
  const hooks = { pre_backup_script: 'before', post_backup_script: 'after' };
  const repository = await scene.addRepository('home', { ...hooks, source_connection_id });
  const job = await scene.addJob(repository);
  return { repository, job, ...scene.enter(job, repository) };
}

describe('hooks of a repository', () => {
  it('get the repository and the source host if it has one', async () => {
    const address = { host: 'nas.example.org', port: 2222, username: 'backup' };
    const source = await scene.storage.insert(sshConnections, {
      ...address,
      status: 'unknown',
      created_at: 0,
      updated_at: 0,
    });
    const { context, repository, job } = await begin(source.id);
    await scene.hooks.run(context);
    const told = {
      BK_UI_REPOSITORY_ID: `${repository.id}`,
      BK_UI_REPOSITORY_NAME: 'home',
      BK_UI_REPOSITORY_PATH: '/backups/home',
      BK_UI_JOB_ID: `${job.id}`,
      BK_UI_SOURCE_HOST: 'nas.example.org',
      BK_UI_SOURCE_PORT: '2222',
      BK_UI_SOURCE_USERNAME: 'backup',
    };
    expect(scene.orders.map(({ environment }) => environment)).toEqual([
      { ...told, BK_UI_HOOK_TYPE: 'pre-backup' },
      { ...told, BK_UI_HOOK_TYPE: 'post-backup', BK_UI_BACKUP_STATUS: 'success' },
    ]);
  });

  it.each([null, 4711])('get no source host without one (connection %s)', async (id) => {
    const { context } = await begin(id);
    await scene.hooks.run(context);
    const told = scene.orders.flatMap(({ environment }) => Object.keys(environment));
    expect(told.filter((name) => name.includes('SOURCE'))).toEqual([]);
    expect(told).toContain('BK_UI_REPOSITORY_PATH');
  });
});
