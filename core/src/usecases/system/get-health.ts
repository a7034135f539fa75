export const getHealth = () => async () => ({ status: 'healthy' as const, service: 'holdfast' as const });
