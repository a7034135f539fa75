import { useCasesOf } from '../../foundation/kernel/index.js';
import { getDrillSchedule, putDrillSchedule } from './drill-schedules.js';
import { exportDrills } from './export-drills.js';
import { getDrill, listDrills } from './list-drills.js';
import type { DrillsNeeds } from './needs.js';
import { startDrill } from './start-drill.js';

export const drillsUseCases = (dependencies: DrillsNeeds) =>
  useCasesOf(dependencies, {
    startDrill,
    listDrills,
    getDrill,
    exportDrills,
    getDrillSchedule,
    putDrillSchedule,
  });
