import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addressesOutdatedBy } from '../src/hub/live.rules.js';

describe('an event', () => {
  it.each([
    ['backup_failure', '/api/history'],
    ['backup_warning', '/api/history'],
    ['backup_success', '/api/system/self-backup'],
    ['backup_success', '/api/recovery-sheet'],
    ['damaged', '/api/system/protection'],
    ['damage_over', '/api/system/protection'],
    ['damage_over', '/api/incidents'],
    ['backup_late', '/api/system/protection'],
    ['backup_on_time_again', '/api/overview'],
    ['archives_changed', '/api/archives'],
    ['job_ended', '/api/jobs'],
  ])('%s makes %s outdated', (event, address) => {
    expect(addressesOutdatedBy(event)).toContain(address);
  });

  it('are ignored if a later release added them', () => {
    expect(addressesOutdatedBy('something_new')).toEqual([]);
  });

  const named: [string, string][] = [
    ['repository_updated', 'Home'],
    ['schedule_changed', 'Nightly'],
  ];
  it.each(named)('%s makes all that shows the new name outdated', (event, example) => {
    const shown = showing(example);
    expect(shown.length).toBeGreaterThan(1);
    const outdated = addressesOutdatedBy(event);
    expect(shown.filter((path) => !outdated.some((address) => path.startsWith(address)))).toEqual([]);
  });
});

/** What keeps the names of its time. */
const past = /^\/api\/(backup|drills|jobs|restore)\b|\/(check|compact|prune)-jobs\b/;

/** What the service answers with a current name, found by the example of names in the API document. */
function showing(example: string): string[] {
  const { paths, components } = JSON.parse(
    readFileSync(new URL('../../api/openapi.json', import.meta.url), 'utf8'),
  );
  const shows = (schema: unknown, seen: readonly unknown[]): boolean => {
    if (schema === null || typeof schema !== 'object' || seen.includes(schema)) return false;
    if ('example' in schema && schema.example === example) return true;
    const of = '$ref' in schema ? components.schemas[String(schema.$ref).split('/').pop() ?? ''] : schema;
    return Object.values(of).some((part) => shows(part, [...seen, schema, of]));
  };
  return Object.keys(paths).filter(
    (path) =>
      path.startsWith('/api/') &&
      !past.test(path) &&
      shows(paths[path].get?.responses['200']?.content?.['application/json'], []),
  );
}
