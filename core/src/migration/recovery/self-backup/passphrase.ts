import { randomInt } from 'node:crypto';

/** Without letters and digits that look alike on paper. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
const groups = 6;
const groupLength = 5;

/** 150 random bits that can be typed from a printed sheet. */
export const newPassphrase = (): string => {
  const group = () => Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
};
