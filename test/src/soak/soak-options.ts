/** From `npm run soak`; in ring 3 null, and a fixed seed. */
export const soakMinutes = process.env.SOAK_MINUTES ? Number(process.env.SOAK_MINUTES) : null;
export const soakSeed = Number(process.env.SOAK_SEED || 1);
