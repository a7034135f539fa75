/** Whether ring 3 runs: every variant, all kill points, long soaks. */
export const isDeep = process.env.TEST_RING === '3';
