import { AppError, invalid, say } from '@holdfast/core/server';
import type { RequestHandler } from 'express';
import { HttpError } from '../errors/http-error.js';
import { fixedLimits } from '../limits.js';
import { rejectLongBody } from './reject-long-body.js';

const uploadLimit = fixedLimits.uploadBytes;
const tooLarge = say`upload_too_large: The file may have at most ${{ kilobytes: uploadLimit / 1024 }} KB.`;
/** Includes the form around the file. A longer body is not read to the end. */
const longest = { bytes: fixedLimits.bodyBytes, reason: tooLarge };

/** Reads a form whose only file is `part`, at most 64 KiB, into `req.file.buffer`. */
export const readUpload =
  (part: string): RequestHandler =>
  async (req, res, next) => {
    const { default: multer, MulterError } = await import('multer');
    const limits = { fileSize: uploadLimit, files: 1, fields: 20, fieldSize: uploadLimit, parts: 25 };
    const answer = rejectLongBody(req, longest, (error: unknown) => {
      if (error instanceof MulterError) next(uploadError(error.code, part));
      else if (error instanceof HttpError) next(error);
      else if (error)
        next(
          invalid(say`form_unreadable: The form could not be read. Send it as multipart/form-data.`, {
            cause: error,
          }),
        );
      else if (!req.file) next(invalid(say`form_part_missing: The form has no file part "${{ part }}".`));
      else next();
    });
    multer({ storage: multer.memoryStorage(), limits }).single(part)(req, res, answer);
  };

function uploadError(code: string, part: string): AppError {
  if (code === 'LIMIT_FILE_SIZE' || code === 'LIMIT_FIELD_VALUE') {
    return new AppError('too_large', tooLarge);
  }
  return invalid(say`form_part_wrong: The form must have exactly one file, as the part "${{ part }}".`);
}
