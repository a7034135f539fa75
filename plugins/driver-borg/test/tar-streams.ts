/** Tar streams made by hand: what no tar would write as well. */
export interface MemberPlan {
  name: string;
  type?: string;
  linkName?: string;
  content?: string;
  /** Records of an extended header before it. */
  pax?: Record<string, string>;
  /** GNU's own headers before it. */
  longName?: string;
  longLink?: string;
  /** Fields as they are to stand in the block, before its checksum is made. */
  raw?: { at: number; text: string }[];
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;

export function headerBlock({ name, type = '0', linkName = '', raw = [] }: MemberPlan, size: number): Buffer {
  const bytes = Buffer.alloc(512);
  const put = (at: number, text: string) => latin1(text).copy(bytes, at);
  put(0, name.slice(0, 100));
  put(100, octal(0o644, 8));
  put(108, octal(0, 8));
  put(116, octal(0, 8));
  put(124, octal(size, 12));
  put(136, octal(1_700_000_000, 12));
  put(148, '        ');
  put(156, type);
  put(157, linkName.slice(0, 100));
  put(257, 'ustar\x0000');
  for (const { at, text } of raw) put(at, text);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  if (!raw.some(({ at }) => at === 148)) put(148, `${octal(sum, 7)} `);
  return bytes;
}

const padded = (content: Buffer) =>
  Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)]);

export function paxText(records: Record<string, string>): string {
  return Object.entries(records)
    .map(([key, value]) => {
      const rest = ` ${key}=${value}\n`;
      let length = rest.length;
      while (`${length}${rest}`.length !== length) length = `${length}${rest}`.length;
      return `${length}${rest}`;
    })
    .join('');
}

export function memberBytes(plan: MemberPlan): Buffer {
  const parts: Buffer[] = [];
  const before = (type: string, text: string) =>
    parts.push(headerBlock({ name: '././@Before', type }, text.length), padded(latin1(text)));
  if (plan.longName !== undefined) before('L', `${plan.longName}\0`);
  if (plan.longLink !== undefined) before('K', `${plan.longLink}\0`);
  if (plan.pax) before('x', paxText(plan.pax));
  const content = latin1(plan.content ?? '');
  parts.push(headerBlock(plan, content.length), padded(content));
  return Buffer.concat(parts);
}

export const tarStream = (...plans: MemberPlan[]): Buffer =>
  Buffer.concat([...plans.map(memberBytes), Buffer.alloc(1024)]);
