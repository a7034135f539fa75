import type { ImportedObject } from '@holdfast/contracts';

interface Answer {
  message: string;
  objects: readonly ImportedObject[];
}

/** One line for each object that is not here already, then the sum. */
export function printObjects({ message, objects }: Answer, remarks: readonly string[] = []): void {
  for (const { section, name, action, fields, reason } of objects) {
    if (action === 'unchanged') continue;
    const more = reason ?? fields.join(', ');
    console.log(`${action.padEnd(9)} ${section}: ${name}${more && ` (${more})`}`);
  }
  for (const remark of remarks) console.log(`note      ${remark}`);
  console.log(message);
}
