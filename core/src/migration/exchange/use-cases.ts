import { useCasesOf } from '../../foundation/kernel/index.js';
import type { ExchangeNeeds } from './needs.js';
import { exportBorgmatic } from './other-tools/export-borgmatic.js';
import { importBorgmatic } from './other-tools/import-borgmatic.js';
import { exportSettings } from './settings/export-settings.js';
import { importSettings } from './settings/import-settings.js';

export const exchangeUseCases = (dependencies: ExchangeNeeds) =>
  useCasesOf(dependencies, {
    exportBorgmatic,
    exportSettings,
    importBorgmatic,
    importSettings,
  });
