import { read, type Schemas } from '../../api/api.js';

export type Archive = Schemas['ArchiveView'];

/** The newest archives of a repository, newest last: enough to choose one by its date. */
export const archivesQuery = (repositoryId: number) =>
  read('/api/archives/list', { query: { repository_id: repositoryId, limit: 1000, known_only: true } });
