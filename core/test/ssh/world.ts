import {
  connectionChanges,
  connectionToTest,
  keyDeployment,
  newSshKey,
  quickSetup,
  sshKeyToImport,
} from '@holdfast/contracts';
import type { Dependencies } from '../../src/app/app.js';
import { forgetConnection } from '../../src/backup/repositories/follow-connection.js';
import { repositories } from '../../src/backup/repositories/tables.js';
import { hostKeyFingerprint } from '../../src/backup/ssh/ssh.rules.js';
import { sshConnections, sshKeys } from '../../src/backup/ssh/tables.js';
import { sshUseCases } from '../../src/backup/ssh/use-cases.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { makeEventBus } from '../../src/foundation/events/event-bus.js';
import { events } from '../../src/foundation/events/tables.js';
import type { Caller } from '../../src/foundation/kernel/caller.rules.js';
import type { KeyTool } from '../../src/foundation/ports/key-tool.js';
import type { KeyPairText, SshFiles } from '../../src/foundation/ports/ssh-files.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { plainRedactor } from '../fakes/plain-redactor.js';
import { plainSecrets } from '../fakes/plain-secrets.js';
import { silentLog } from '../fakes/silent-log.js';
import { fakeHost, password } from './fake-host.js';

function fakeKeyTool() {
  let made = 0;
  const pair = (type: 'rsa' | 'ed25519' | 'ecdsa', name: string) => {
    const publicKey = `type public-${name}`;
    return {
      type,
      privateKey: `type private-${name}`,
      publicKey,
      fingerprint: hostKeyFingerprint(publicKey),
    };
  };
  const files = new Map<string, string>();
  const tool: KeyTool = {
    generate: async (type) => pair(type, `generated-${++made}`),
    read: (text) =>
      text.startsWith('private ') ? pair('ed25519', text.slice(8)) : { problem: 'unreadable' },
    readPublic: (text) =>
      text.startsWith('public ')
        ? {
            line: text,
            type: 'ed25519',
            fingerprint: hostKeyFingerprint(`type public-${text.slice(7)}`),
          }
        : null,
    readKeyFile: async (path) => files.get(path) ?? null,
  };
  return { tool, files };
}

function fakeSshFiles() {
  const state = {
    pair: null as KeyPairText | null,
    hostKeys: new Map<number, string>(),
    problem: null as string | null,
  };
  const files: SshFiles = {
    async writeKeyPair(pair) {
      state.pair = pair;
      return { keyFile: '/ssh/key', problem: state.problem };
    },
    async removeKeyPairs() {
      state.pair = null;
    },
    async writeHostKey({ connectionId, hostKey }) {
      state.hostKeys.set(connectionId, hostKey);
      return `/known/${connectionId}`;
    },
    async removeHostKey(id) {
      state.hostKeys.delete(id);
    },
  };
  return { files, state };
}

/** Use cases of the area over fakes: one host, no key yet. */
export function makeWorld() {
  const storage = memoryStorage();
  const clock = manualClock();
  const { host, state } = fakeHost();
  const keys = fakeKeyTool();
  const disk = fakeSshFiles();
  const redactor = plainRedactor();
  const secrets = plainSecrets;
  const log = silentLog();
  const bus = makeEventBus({ clock, log });
  // Only what the area asks for.
  const dependencies = {
    storage,
    clock,
    redactor,
    secrets,
    log,
    events: bus,
    remoteHost: host,
    sshFiles: disk.files,
    keyTool: keys.tool,
  } as unknown as Dependencies;
  const ssh = sshUseCases(dependencies, { moved: async () => {}, removed: forgetConnection });
  const login = { host: 'nas.example.org', username: 'backup', password };
  return {
    ssh,
    storage,
    clock,
    redactor,
    dependencies,
    host: state,
    disk: disk.state,
    keyFiles: keys.files,
    generate: (extra: object = {}) => ssh.generateKey(newSshKey.parse({ name: 'system', ...extra })),
    import: (extra: object) => ssh.importKey(sshKeyToImport.parse({ name: 'imported', ...extra })),
    setUp: (extra: object = {}) => ssh.quickSetup(quickSetup.parse({ name: 'system', ...login, ...extra })),
    deploy: (keyId: number, extra: object = {}, isAdmin = true) =>
      ssh.deployKey({ isAdmin } as Caller, keyId, keyDeployment.parse({ ...login, ...extra })),
    connect: (keyId: number, extra: object = {}) => {
      const { password: _, ...address } = login;
      return ssh.testNewConnection(keyId, connectionToTest.parse({ ...address, ...extra }));
    },
    update: (id: number, changes: object) => ssh.updateConnection(id, connectionChanges.parse(changes)),
    connections: () => storage.find(sshConnections),
    /** What the stream tells of connections: the change and the status after it. */
    told: async () =>
      (await storage.find(events, { where: { kind: 'connection_changed' } })).map(
        ({ data }) => `${data.change} ${data.status}`,
      ),
    storedKeys: () => storage.find(sshKeys),
    /** As another instance stores one. */
    addKey: (name: string) =>
      storage.insert(sshKeys, {
        uid: name,
        name,
        key_type: 'rsa',
        public_key: `type public-${name}`,
        fingerprint: 'SHA256:x',
        private_key: 'sealed',
        created_at: 0,
        updated_at: 0,
      }),
    addRepository: (name: string, on: { connection_id?: number; source_connection_id?: number }) =>
      storage.insert(repositories, {
        name,
        uid: name,
        tool_id: name,
        path: `ssh://backup@nas.example.org:22/${name}`,
        ...on,
        encryption: 'none',
        compression: 'lz4',
        source_directories: [],
        exclude_patterns: [],
        mode: 'full',
        created_at: 0,
        updated_at: 0,
      }),
    addJob: (repositoryId: number) =>
      storage.insert(jobs, {
        kind: 'backup',
        status: 'pending',
        repository_id: repositoryId,
        repository_path: '/p',
        repository_name: 'n',
        requested_by: 'admin',
        requested_at: 0,
        parameters: {},
        progress: noProgress,
      }),
  };
}
