import { service } from '../api/service.js';
import { t } from '../i18n/messages.js';
import { useStore } from '../store.js';

/** Whether the service can do nothing now: nothing is sent then, and nothing is queued. */
export const useHalted = (): boolean => useStore(service).state !== 'ready';

/** Beside a button that is off for that reason. */
export const Halted = () => (useHalted() ? <p class="muted small">{t.frame.halted}</p> : null);
