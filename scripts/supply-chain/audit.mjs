/**
 * What `npm audit --json` found, held against the answers of docs/dependencies.md.
 * @returns {{ faults: string[], remark: string }} the remark says what was looked at, or why nothing was
 */
export function judgeAudit(output, answered) {
  const report = parsed(output);
  if (report === null || typeof report.vulnerabilities !== 'object') {
    return {
      faults: [],
      remark: `Not looked for: this registry does not offer the audit (${reasonOf(report)}).`,
    };
  }
  const found = advisoriesOf(report);
  const open = found.filter(({ id }) => !answered.has(id));
  const needless = [...answered.keys()].filter((id) => !found.some((advisory) => advisory.id === id));
  return {
    faults: [
      ...open.map(({ id, name, severity, title }) => `${name}: ${title} (${severity}, ${id})`),
      ...needless.map((id) => `${id} is answered in docs/dependencies.md and not found any more`),
    ],
    remark: `${found.length} known, ${found.length - open.length} of them answered.`,
  };
}

function parsed(output) {
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
}

const reasonOf = (report) =>
  (report?.message ?? report?.error?.summary ?? 'no answer').replace(/https?:\/\/\S+/g, 'its address').trim();

/** One for each advisory; a package that only uses a vulnerable one names it. */
function advisoriesOf({ vulnerabilities }) {
  const all = Object.entries(vulnerabilities).flatMap(([name, { via }]) =>
    via
      .filter((cause) => typeof cause === 'object')
      .map(({ url = '', source, severity, title }) => ({
        id: /GHSA(-[0-9a-z]{4}){3}/i.exec(url)?.[0] ?? `npm-${source}`,
        name,
        severity,
        title,
      })),
  );
  return [...new Map(all.map((advisory) => [advisory.id, advisory])).values()];
}
