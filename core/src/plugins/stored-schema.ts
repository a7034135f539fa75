import type { StoragePort } from '../ports/storage.js';
import { schemaVersions } from '../schema/migrations/index.js';
import { failedTo, PluginError, redacted } from './plugin-error.js';
import type { LoadedPlugin, StartBounds } from './plugin-loader.js';
import { runStep } from './plugin-step.js';

/** A storage that went by a schema of its own would fail at every call. PluginError when it has another version. */
export async function checkStoredSchema(
  { manifest, instance, redact }: LoadedPlugin,
  { times: { start: ms }, watch, schema = schemaVersions }: StartBounds,
): Promise<void> {
  const name = manifest.package;
  const stored: unknown = await runStep({
    ...{ late: `${name} took more than ${ms / 1000} s to say its schema version`, ms, watch },
    work: () => (instance as StoragePort).schemaVersion(),
    failed: (cause) => redacted(failedTo('say its schema version', manifest, cause), redact),
  });
  const newest = Math.max(...schema.map(({ version }) => version));
  if (stored !== newest) throw new PluginError('other_schema', sentenceOf(name, stored, newest));
}

function sentenceOf(name: string, stored: unknown, newest: number): string {
  if (typeof stored !== 'number') {
    return `${name} does not say which schema version its store has: install a version of it that does.`;
  }
  if (stored < newest) {
    return (
      `${name} left its store at schema version ${stored}, but this server needs ${newest}: ` +
      'install a version of it that goes by the schema of the server.'
    );
  }
  return (
    `The store of ${name} has schema version ${stored}, but this server knows versions up to ${newest}: ` +
    'start the program that wrote it or a newer one, or use another store.'
  );
}
