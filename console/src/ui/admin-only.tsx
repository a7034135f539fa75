import { user } from '../hub/link.js';
import { t } from '../i18n/messages.js';
import { useStore } from '../store.js';
import { Notice } from './notice.js';

/** Instead of what the person may not do, with who they are. */
export const AdminOnly = () => <Notice>{t.common.adminOnly(useStore(user)?.username ?? '')}</Notice>;
