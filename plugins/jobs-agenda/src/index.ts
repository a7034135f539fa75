export { type AgendaTimersOptions, agendaTimerService } from './agenda-timer-service.js';
export { timerName } from './timer.js';
