interface Problem {
  name?: string;
  code?: string;
  /** OAuth 2.0 code of an answer. */
  error?: string;
  cause?: unknown;
}

/** Answers of the provider about itself, not about the person. */
const ownFaults = ['server_error', 'temporarily_unavailable', 'invalid_client', 'unauthorized_client'];
/** The answer is one, but not for this sign-in. */
const mismatches = ['OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'];

/** Whether the provider has said no, or the answer is not for this sign-in. */
export function isFinal(problem: unknown): boolean {
  const { error, code } = problem as Problem;
  return error !== undefined ? !ownFaults.includes(error) : mismatches.includes(code ?? '');
}

const answers: Record<string, string> = {
  access_denied: 'The identity provider did not let you in, or you cancelled the sign-in.',
  login_required: 'The identity provider wants you to sign in there first: start again.',
  invalid_grant: 'The sign-in was finished already, or took too long: start again.',
  invalid_client: 'The identity provider rejects the client ID or the client secret of Holdfast.',
};

const codes: Record<string, string> = {
  ECONNREFUSED: 'refuses the connection',
  ENOTFOUND: 'has an unknown host name',
  EAI_AGAIN: 'has a host name that cannot be resolved right now',
  ECONNRESET: 'closed the connection without a response',
  UND_ERR_SOCKET: 'closed the connection without a response',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept the connection in time',
};

/** What happened, in one sentence without anything that the answer contains. */
export function sentenceOf(problem: unknown): string {
  const { error, code = '' } = problem as Problem;
  if (error !== undefined) {
    const known = Object.hasOwn(answers, error) ? answers[error] : undefined;
    return known ?? `The identity provider answered with the error ${error.replace(/[^\w.-]/g, '')}.`;
  }
  if (mismatches.includes(code)) return 'The answer of the identity provider is not for this sign-in.';
  const chain = causesOf(problem);
  if (chain.some(({ name }) => name === 'TimeoutError' || name === 'AbortError'))
    return 'The identity provider did not respond in time.';
  const known = chain.flatMap((each) =>
    each.code && Object.hasOwn(codes, each.code) ? codes[each.code] : [],
  );
  return `The identity provider ${known[0] ?? 'sent an answer that is not valid'}.`;
}

function causesOf(problem: unknown): Problem[] {
  const chain: Problem[] = [];
  for (let each = problem as Problem | undefined; each && chain.length < 8; each = each.cause as Problem)
    chain.push(each);
  return chain;
}
