import { useStore } from '../store.js';
import { user } from './link.js';

export const useIsAdmin = (): boolean => useStore(user)?.is_admin === true;
