import type { Dependencies } from '../dependencies.js';
import { attachScript } from './attach-script.js';
import { cleanUpOrphans } from './clean-up-orphans.js';
import { createScript } from './create-script.js';
import { deleteScript } from './delete-script.js';
import { detachScript } from './detach-script.js';
import { getAttachment } from './get-attachment.js';
import { getScript } from './get-script.js';
import { listAttachments } from './list-attachments.js';
import { listScripts } from './list-scripts.js';
import { testScript, testText } from './test-script.js';
import { updateAttachment } from './update-attachment.js';
import { updateScript } from './update-script.js';

export const scriptsUseCases = (dependencies: Dependencies) => ({
  listScripts: listScripts(dependencies),
  getScript: getScript(dependencies),
  createScript: createScript(dependencies),
  updateScript: updateScript(dependencies),
  deleteScript: deleteScript(dependencies),
  testScript: testScript(dependencies),
  testText: testText(dependencies),
  cleanUpOrphans: cleanUpOrphans(dependencies),
  listAttachments: listAttachments(dependencies),
  getAttachment: getAttachment(dependencies),
  attachScript: attachScript(dependencies),
  updateAttachment: updateAttachment(dependencies),
  detachScript: detachScript(dependencies),
});
