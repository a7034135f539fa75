/** Whether the long lane runs: every variant, all kill points, long soaks. */
export const isLong = process.env.TEST_LONG === '1';
