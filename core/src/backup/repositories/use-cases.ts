import { useCasesOf } from '../../foundation/kernel/index.js';
import { createRepository } from './create-repository.js';
import { deleteRepository, type ForgetRepository } from './delete-repository.js';
import { acceptIdentity } from './identity.js';
import { importOnce } from './import-repository.js';
import { downloadKeyFile, uploadKeyFile } from './key-file.js';
import type { RepositoriesNeeds } from './needs.js';
import { setPassphrase, testRepository } from './passphrase.js';
import { getRepository, listRepositories } from './repositories.js';
import { createSourceSet, deleteSourceSet, getSourceSet, listSourceSets } from './source-sets/source-sets.js';
import { updateSourceSet } from './source-sets/update-source-set.js';
import type { RecallRepository } from './take-up.js';
import { updateRepository } from './update-repository.js';

export const repositoriesUseCases = (
  dependencies: RepositoriesNeeds,
  elsewhere: { forget: readonly ForgetRepository[]; recall: readonly RecallRepository[] },
) => ({
  ...useCasesOf(dependencies, {
    acceptIdentity,
    createRepository,
    createSourceSet,
    deleteSourceSet,
    getSourceSet,
    listSourceSets,
    updateSourceSet,
    downloadKeyFile,
    getRepository,
    setPassphrase,
    testRepository,
    updateRepository,
    uploadKeyFile,
  }),

  deleteRepository: deleteRepository.bind(null, dependencies, elsewhere.forget),

  importRepository: importOnce(dependencies, elsewhere.recall),
  listRepositories: listRepositories(dependencies),
});
