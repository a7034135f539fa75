import { getIncident, listIncidents } from './list-incidents.js';
import type { IncidentsNeeds } from './needs.js';
import { snoozeIncident, wakeIncident } from './snooze.js';

export const incidentsUseCases = (dependencies: Pick<IncidentsNeeds, 'storage' | 'clock'>) => ({
  getIncident: getIncident(dependencies),
  listIncidents: listIncidents(dependencies),
  snoozeIncident: snoozeIncident(dependencies),
  wakeIncident: wakeIncident(dependencies),
});
