/**
 * Compares the findings of `npm audit --json` in packages that ship to users with the answers in
 * .github/DEPENDENCIES.md.
 * @returns {{ problems: string[], remark: string }} the remark tells what was checked, or why nothing was
 */
export function judgeAudit(output, answered, running) {
  const report = parsed(output);
  if (report === null || typeof report.vulnerabilities !== 'object') {
    return {
      problems: [],
      remark: `Not checked: this registry does not support audits (${reasonOf(report)}).`,
    };
  }
  const found = advisoriesOf(report, running);
  const open = found.filter(({ id }) => !answered.has(id));
  const needless = [...answered.keys()].filter((id) => !found.some((advisory) => advisory.id === id));
  return {
    problems: [
      ...open.map(({ id, name, severity, title }) => `${name}: ${title} (${severity}, ${id})`),
      ...needless.map((id) => `${id} is answered in .github/DEPENDENCIES.md but no longer found`),
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

/** One entry per advisory; a package that only uses a vulnerable one refers to it. */
function advisoriesOf({ vulnerabilities }, running) {
  const all = Object.entries(vulnerabilities).flatMap(([name, { via, nodes }]) =>
    (nodes.some((place) => running.has(place)) ? via : [])
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
