import type { SettingsImport, SettingsImported } from '@holdfast/contracts';
import { type Caller, codeOf, requireConfirmation } from '../../../foundation/kernel/index.js';
import type { SettingsNeeds } from '../needs.js';
import { applyParts } from './apply.js';
import { type Part, readDocument } from './document.js';
import { objectView, summaryOf } from './planned-view.js';

/** Throws AppError `invalid` for a document that can't be read; nothing has changed then. */
export async function importSettings(
  needs: SettingsNeeds,
  caller: Caller,
  { document, seal_passphrase, dry_run, replace_sources }: SettingsImport,
): Promise<SettingsImported> {
  if (!dry_run) requireConfirmation(caller, needs.clock.now());
  const held = seal_passphrase ? [needs.redactor.protect(seal_passphrase)] : [];
  try {
    const parts = await readDocument(document, seal_passphrase);
    held.push(...secretsIn(parts).map((secret) => needs.redactor.protect(secret)));
    const { objects, remarks } = await applyParts(needs, parts, {
      caller,
      keep: !dry_run,
      replaceSources: replace_sources,
    });
    const { message, counts } = summaryOf(objects, dry_run);
    return {
      success: true,
      dry_run,
      message,
      counts,
      objects: objects.map(objectView),
      remarks: remarks.map((each) => each.text),
      remark_codes: remarks.map(codeOf),
    };
  } finally {
    for (const each of held) each.release();
  }
}

/** Lines of four characters and more, as in logs. */
function secretsIn(parts: readonly Part[]): string[] {
  const texts = (value: unknown): string[] => {
    if (typeof value === 'string') return value.split(/\r?\n/).filter((line) => line.length >= 4);
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
  };
  return parts.flatMap(({ section: { secrets }, objects }) =>
    objects.flatMap(({ value }) => secrets.flatMap((field) => texts(value[field]))),
  );
}
