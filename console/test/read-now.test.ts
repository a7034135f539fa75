import { expect, test } from 'vitest';
import { outdate, queryClient, readNow } from '../src/api/query-client.js';

test('returns its result even if an event replaced a pending read', async () => {
  const answers: ((text: string) => void)[] = [];
  const query = {
    queryKey: ['/api/repositories/1'],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  };
  queryClient.setQueryData(query.queryKey, 'before');
  const underWay = queryClient.fetchQuery({ ...query, staleTime: 0 }).catch(() => undefined);
  const reading = readNow(query);
  outdate('/api/repositories');
  void queryClient.refetchQueries({ queryKey: query.queryKey }, { cancelRefetch: true });
  for (const answer of answers) answer('now');
  expect(await reading).toBe('now');
  expect(queryClient.getQueryData(query.queryKey)).toBe('now');
  await underWay;
  queryClient.clear();
});
