import type { Redactor } from '@holdfast/core/server';
import type { Log } from '@holdfast/plugin-api';
import type { ErrorRequestHandler } from 'express';
import { noteAnswer } from '../audit/audit-requests.js';
import { loggedUrl } from '../middleware/logged-url.js';
import { requestIdOf } from '../middleware/request-id.js';
import { answerTo, bodyOf } from './error-answers.js';

/** Turns every error into `{detail, code}` with its status. Logs internal errors in full with the request id. */
export const errorHandler =
  ({ log, redactor }: { log: Log; redactor: Redactor }): ErrorRequestHandler =>
  (error, req, res, _next) => {
    const answer = answerTo(error);
    const request = { request_id: requestIdOf(res), method: req.method, url: loggedUrl(req) };
    if (res.headersSent || res.destroyed) {
      log.warn('response aborted', { ...request, error });
      void noteAnswer(res, answer.status);
      res.destroy();
      return;
    }
    if (answer.status >= 500) log.error('request failed', { ...request, error });
    if (answer.retryAfterSeconds !== undefined) {
      res.setHeader('Retry-After', Math.max(1, Math.ceil(answer.retryAfterSeconds)));
    }
    if (answer.status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
    const body = {
      ...bodyOf(answer, redactor),
      ...(answer.status === 500 ? { request_id: requestIdOf(res) } : {}),
    };
    void noteAnswer(res, answer.status).finally(() => res.status(answer.status).json(body));
  };
