import { useCasesOf } from '../../foundation/kernel/index.js';
import { discover, showDiscovery } from './discover.js';
import { importMany } from './import-many.js';
import type { MovingInNeeds, SettingsNeeds } from './needs.js';
import { openFound } from './open-found.js';
import { exportBorgmatic } from './other-tools/export-borgmatic.js';
import { importBorgmatic } from './other-tools/import-borgmatic.js';
import { exportSettings } from './settings/export-settings.js';
import { importSettings } from './settings/import-settings.js';
import { suggest } from './suggestions.js';
import { takeOver } from './take-over.js';

export const movingInUseCases = (dependencies: MovingInNeeds & SettingsNeeds) => ({
  ...useCasesOf(dependencies, {
    discover,
    exportBorgmatic,
    exportSettings,
    importBorgmatic,
    importSettings,
    openFound,
    showDiscovery,
    suggest,
    takeOver,
  }),
  importMany: importMany(dependencies, dependencies.recalls),
});
