import type { Dependencies } from '../dependencies.js';
import { acceptIdentity } from './accept-identity.js';
import { createRepository } from './create-repository.js';
import { deleteRepository } from './delete-repository.js';
import { downloadKeyFile } from './download-key-file.js';
import { getRepository } from './get-repository.js';
import { importRepository } from './import-repository.js';
import { listRepositories } from './list-repositories.js';
import { setPassphrase } from './set-passphrase.js';
import { testRepository } from './test-repository.js';
import { updateRepository } from './update-repository.js';
import { uploadKeyFile } from './upload-key-file.js';

export const repositoriesUseCases = (dependencies: Dependencies) => ({
  acceptIdentity: acceptIdentity(dependencies),
  createRepository: createRepository(dependencies),
  deleteRepository: deleteRepository(dependencies),
  downloadKeyFile: downloadKeyFile(dependencies),
  getRepository: getRepository(dependencies),
  importRepository: importRepository(dependencies),
  listRepositories: listRepositories(dependencies),
  setPassphrase: setPassphrase(dependencies),
  testRepository: testRepository(dependencies),
  updateRepository: updateRepository(dependencies),
  uploadKeyFile: uploadKeyFile(dependencies),
});
