import { contract, type RouteMetadata, routesOf } from '@holdfast/contracts';
import { expect, test } from 'vitest';
import { recoveriesOf } from '../src/http/middleware/recovered-answers.js';

test('can recover the response of exactly the routes that create something', () => {
  const making = routesOf(contract).filter(({ metadata }) =>
    ['job', 'resource'].includes((metadata as RouteMetadata).creates ?? ''),
  );
  // Reached only in retries: the use cases are not called here.
  const recoveries = recoveriesOf({} as never);
  expect(Object.keys(recoveries).sort()).toEqual(
    making.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});
