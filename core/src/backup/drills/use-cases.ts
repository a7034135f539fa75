import { getDrillSchedule, putDrillSchedule } from './drill-schedules.js';
import { exportDrills } from './export-drills.js';
import { getDrill, listDrills } from './list-drills.js';
import type { DrillsNeeds } from './needs.js';
import { startDrill } from './start-drill.js';

export const drillsUseCases = (dependencies: DrillsNeeds) => ({
  startDrill: startDrill(dependencies),
  listDrills: listDrills(dependencies),
  getDrill: getDrill(dependencies),
  exportDrills: exportDrills(dependencies),
  getDrillSchedule: getDrillSchedule(dependencies),
  putDrillSchedule: putDrillSchedule(dependencies),
});
