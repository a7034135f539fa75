export { type AgendaClockOptions, agendaAlarmClock } from './agenda-alarm-clock.js';
