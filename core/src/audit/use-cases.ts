import type { Dependencies } from '../dependencies.js';
import { listEntries } from './list-entries.js';
import { noteRequest } from './note-request.js';

export const auditUseCases = (dependencies: Dependencies) => ({
  listEntries: listEntries(dependencies),
  noteRequest: noteRequest(dependencies),
});
