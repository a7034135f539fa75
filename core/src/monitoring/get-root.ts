import { interfaceVersion } from '@holdfast/contracts';

export const getRoot = () => async () => ({
  name: 'Holdfast',
  version: interfaceVersion,
  docs: '/api/docs' as const,
  status: 'running' as const,
});
