import { slotTimers } from '../calendar/index.js';

export const { isOwn: isScheduleTimer, set: setScheduleTimer } = slotTimers('schedule:');
