import { useCasesOf } from '../../foundation/kernel/index.js';
import { getIncident, listIncidents } from './list-incidents.js';
import type { IncidentsNeeds } from './needs.js';
import { snoozeIncident, wakeIncident } from './snooze.js';

export const incidentsUseCases = (dependencies: IncidentsNeeds) => ({
  ...useCasesOf(dependencies, {
    listIncidents,
    snoozeIncident,
    wakeIncident,
  }),
  getIncident: getIncident(dependencies),
});
