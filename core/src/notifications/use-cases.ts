import type { Dependencies } from '../dependencies.js';
import { createSetting } from './create-setting.js';
import { deleteSetting } from './delete-setting.js';
import { getSetting } from './get-setting.js';
import { listDeliveries } from './list-deliveries.js';
import { listSettings } from './list-settings.js';
import { resendDelivery } from './resend-delivery.js';
import { testServiceUrl } from './test-service-url.js';
import { updateSetting } from './update-setting.js';

export const notificationsUseCases = (dependencies: Dependencies) => ({
  createSetting: createSetting(dependencies),
  deleteSetting: deleteSetting(dependencies),
  getSetting: getSetting(dependencies),
  listDeliveries: listDeliveries(dependencies),
  listSettings: listSettings(dependencies),
  resendDelivery: resendDelivery(dependencies),
  testServiceUrl: testServiceUrl(dependencies),
  updateSetting: updateSetting(dependencies),
});
