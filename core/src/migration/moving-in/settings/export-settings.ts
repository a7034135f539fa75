import type { SettingsExported } from '@holdfast/contracts';
import { isoTime } from '../../../foundation/kernel/index.js';
import type { SettingsNeeds } from '../needs.js';
import { format, partsOf, version, withKeys } from './document.js';
import { marksOf } from './marks.rules.js';
import { sealJson } from './seal.js';
import type { Section, Value } from './section.js';
import { sections } from './sections.js';

/** All settings; secrets only sealed by the passphrase, if there is one. */
export async function exportSettings(
  needs: SettingsNeeds,
  sealPassphrase?: string,
): Promise<SettingsExported> {
  const shown: Record<string, Value[]> = {};
  const hidden: Record<string, Record<string, Value>> = {};
  for (const section of sections) {
    const all = withKeys(section, await section.read(needs), ({ value }) => value);
    const isUseful = ({ value }: { value: Value }) =>
      sealPassphrase !== undefined || !isOnlySecret(section, value);
    const objects = all.filter(isUseful);
    shown[section.name] = objects.map(({ value }) => part(section, value, false));
    hidden[section.name] = Object.fromEntries(
      objects
        .map(({ key, value }) => [key, part(section, value, true)])
        .filter(([, value]) => Object.keys(value as Value).length > 0),
    ) as Record<string, Value>;
  }
  const head = { format, version, made_at: isoTime(needs.clock.now()), made_by: needs.serverVersion };
  const document = { ...head, ...shown };
  if (sealPassphrase === undefined) return { success: true, document };
  const marks = marksOf(partsOf(document), document);
  return {
    success: true,
    document: { ...document, sealed: await sealJson(sealPassphrase, { secrets: hidden, marks }) },
  };
}

const part = ({ secrets }: Section, value: Value, secret: boolean): Value =>
  Object.fromEntries(
    Object.entries(value).filter(([name, of]) => of !== undefined && secrets.includes(name) === secret),
  );

/** The system key is useless without its private half. */
const isOnlySecret = ({ secrets }: Section, value: Value): boolean =>
  secrets.includes('private_key') && value.private_key !== undefined;
