export { type AgendaTimersOptions, agendaTimerService } from './agenda-timer-service.js';
