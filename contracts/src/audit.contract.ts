import { initContract } from '@ts-rest/core';
import { failures, type RouteMetadata } from './common.js';
import { auditFilter, auditPage } from './schemas/audit.js';

const c = initContract();
const { 404: _notFound, 409: _conflict, ...always } = failures;

export const auditContract = c.router({
  list: {
    method: 'GET',
    path: '/api/audit',
    summary: 'Page through the audit trail, newest first',
    description:
      'Records who did what, and from where: calls that may change something, logins, reads of secrets, ' +
      'and downloads. Run `holdfast audit verify` on the command line to check the trail for tampering.',
    query: auditFilter,
    responses: { 200: auditPage, ...always },
    metadata: { access: { who: 'admin' }, tag: 'Audit' } satisfies RouteMetadata,
  },
});
