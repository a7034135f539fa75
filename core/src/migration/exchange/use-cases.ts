import { useCasesOf } from '../../foundation/kernel/index.js';
import { exportBorgmatic } from './borgmatic/export/export-borgmatic.js';
import { importBorgmatic } from './borgmatic/import-borgmatic.js';
import type { ExchangeNeeds } from './needs.js';
import { exportSettings } from './settings/export-settings.js';
import { importSettings } from './settings/import-settings.js';

export const exchangeUseCases = (dependencies: ExchangeNeeds) =>
  useCasesOf(dependencies, {
    exportBorgmatic,
    exportSettings,
    importBorgmatic,
    importSettings,
  });
