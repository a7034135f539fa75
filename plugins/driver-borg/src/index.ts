import { join } from 'node:path';
import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { Confinement, confinementFinding } from './confinement.js';
import type { BorgContext } from './context.js';
import { checkCustomFlags } from './custom-flags.js';
import { excludes } from './exclude-matching.js';
import { folderProblem } from './folder-problem.js';
import { localId } from './identity/local-identity.js';
import { KeyFiles } from './key-files.js';
import { OwnLocks } from './locks/own-locks.js';
import { archiveInfo } from './operations/archive-info.js';
import { check } from './operations/check.js';
import { compact } from './operations/compact.js';
import { createArchive } from './operations/create-archive.js';
import { deleteArchives } from './operations/delete-archives.js';
import { destroy } from './operations/destroy.js';
import { endProcess } from './operations/end-process.js';
import { exportTar } from './operations/export-tar.js';
import { extract } from './operations/extract.js';
import { forget } from './operations/forget.js';
import { init } from './operations/init.js';
import { changePassphrase, exportKey, importKey } from './operations/keys.js';
import { listArchives } from './operations/list-archives.js';
import { listEntries } from './operations/list-entries.js';
import { breakLock, lockHolder } from './operations/locks.js';
import { look } from './operations/look.js';
import { open } from './operations/open.js';
import { checkPull, pullArchive } from './operations/pull-archive.js';
import { readFile } from './operations/read-file.js';
import { signArchives } from './operations/sign-archives.js';
import { ToolCheck } from './version.js';

/** The tool needs as much processor time as the service itself, whose start comes first. */
const warmUpDelayMs = 500;

/** borg 1.2 and 1.4. `binary` is a command name on the PATH, or a path. */
export default definePlugin({
  kind: 'driver',
  configuration: z.object({ binary: z.string().min(1).default('borg') }),
  create({ configuration: { binary }, dataFolder, log }) {
    const stopping = new AbortController();
    const tool = new ToolCheck(binary, stopping.signal);
    const context: BorgContext = {
      binary,
      dataFolder,
      tool,
      keyFiles: new KeyFiles(dataFolder),
      locks: new OwnLocks(join(dataFolder, '.lock-identities'), log),
      confinement: new Confinement(dataFolder, () => tool.program(), stopping.signal),
    };
    let warmUpTimer: NodeJS.Timeout | undefined;
    let warmedUp: Promise<unknown> | undefined;
    const warmUp = () => {
      warmedUp = Promise.allSettled([tool.program(), context.confinement.problem()]);
    };
    return {
      version: () => tool.version(),
      checkCustomFlags,
      init: init(context),
      open: open(context),
      look: look(context),
      idAt: localId,
      createArchive: createArchive(context),
      pullArchive: pullArchive(context),
      checkPull,
      checkStreams: () => [],
      excludes,
      destroy: destroy(context),
      listArchives: listArchives(context),
      archiveInfo: archiveInfo(context),
      listEntries: listEntries(context),
      readFile: readFile(context),
      extract: extract(context),
      exportTar: exportTar(context),
      deleteArchives: deleteArchives(context),
      compact: compact(context),
      check: check(context),
      signArchives: signArchives(context),
      lockHolder: lockHolder(context),
      breakLock: breakLock(context),
      exportKey: exportKey(context),
      importKey: importKey(context),
      changePassphrase: changePassphrase(context),
      endProcess: endProcess(),
      forget: forget(context),
      async start() {
        // Asked in advance, so that the first operation need not wait. That operation reports a failure.
        warmUpTimer = setTimeout(warmUp, warmUpDelayMs).unref();
        await context.keyFiles.sweep();
      },
      health: async () => (await tool.problem()) ?? folderProblem(dataFolder),
      examine: async () => ({ findings: [confinementFinding(await context.confinement.problem())] }),
      async stop() {
        clearTimeout(warmUpTimer);
        stopping.abort();
        await warmedUp;
        await context.keyFiles.removeOwn();
      },
    };
  },
});
