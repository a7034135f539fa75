import type { Dependencies } from '../dependencies.js';
import { acceptHostKey } from './accept-host-key.js';
import { browseConnection } from './browse-connection.js';
import { deleteConnection } from './delete-connection.js';
import { deleteKey } from './delete-key.js';
import { deployKey } from './deploy-key.js';
import { generateKey } from './generate-key.js';
import { getConnection } from './get-connection.js';
import { getKey } from './get-key.js';
import { getSystemKey } from './get-system-key.js';
import { importKey, importKeyText } from './import-key.js';
import { makeKeyTurn } from './key-turn.js';
import { listConnections } from './list-connections.js';
import { listKeys } from './list-keys.js';
import { quickSetup } from './quick-setup.js';
import { redeployKey } from './redeploy-key.js';
import { refreshStorage } from './refresh-storage.js';
import { testConnection } from './test-connection.js';
import { testNewConnection } from './test-new-connection.js';
import { updateConnection } from './update-connection.js';
import { updateKey } from './update-key.js';

export const sshUseCases = (dependencies: Dependencies) => {
  const turn = makeKeyTurn();
  return {
    acceptHostKey: acceptHostKey(dependencies),
    browseConnection: browseConnection(dependencies),
    deleteConnection: deleteConnection(dependencies),
    deleteKey: deleteKey(dependencies),
    deployKey: deployKey(dependencies),
    generateKey: generateKey(dependencies, turn),
    getConnection: getConnection(dependencies),
    getKey: getKey(dependencies),
    getSystemKey: getSystemKey(dependencies),
    importKey: importKey(dependencies, turn),
    importKeyText: importKeyText(dependencies, turn),
    listConnections: listConnections(dependencies),
    listKeys: listKeys(dependencies),
    quickSetup: quickSetup(dependencies, turn),
    redeployKey: redeployKey(dependencies),
    refreshStorage: refreshStorage(dependencies),
    testConnection: testConnection(dependencies),
    testNewConnection: testNewConnection(dependencies),
    updateConnection: updateConnection(dependencies),
    updateKey: updateKey(dependencies),
  };
};
