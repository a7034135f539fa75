import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { makeTarDriver } from './driver.js';

/** Archives of GNU tar in a folder. */
export default definePlugin({
  kind: 'driver',
  configuration: z.object({}),
  create: () => makeTarDriver(),
});
