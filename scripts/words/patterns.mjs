/** Texts that users read; titles of tests and suites only have to avoid the phrases below `everywhere`. */
const forUsers = ['page', 'console', 'message', 'contract', 'command', 'notification'];
const everywhere = [...forUsers, 'title', 'suite'];

const noVerbs =
  'an? the no not each every all any both one two some only its? their this that these those what who ' +
  'after before when while if unless with without in on at of for from by as';

/** Name, expression, and kinds of texts. `docs/contributing/style.md` has better words. */
export const patterns = [
  ['stands', /\bstands? (?:in|on|there)\b/i, everywhere],
  ['lies', /\blies?\b/i, everywhere],
  ['told', /\btold\b/i, everywhere],
  ['the own', /\bthe own\b/i, everywhere],
  ['for ever', /\bfor ever\b/i, everywhere],
  ['anew', /\banew\b/i, everywhere],
  ['can not', /\bcan not\b/i, everywhere],
  ['whoever', /\bwho(?:m)?ever\b/i, everywhere],
  ['is no', /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|older\b|newer\b)[a-z]/i, everywhere],
  ['what', /(?:^|[.:|] +)What (?:is|was|were|came|comes|becomes?|goes|went)\b(?![^.?!|]*\?)/, everywhere],
  ['its place', /\bat (?:its|their)(?: old)? places?\b/i, everywhere],
  ['proved', /\bprov(?:e|es|ed|en|ing)\b|\bproofs?\b/i, everywhere],
  ['promise', /\bpromise[ds]?\b(?! rejection)|\bpromising\b/i, everywhere],
  ['goes on', /\b(?:go|goes|going|went) on\b/i, everywhere],
  ['by itself', /\bby (?:itself|themselves)\b/i, forUsers],
  ['person', /\bpersons?\b|\bsomebody\b|\bnobody\b/i, forUsers],
  ['beside', /\bbesides?\b/i, forUsers],
  ['place', /(?<!\bin(?:to)?[ -])(?<!\btak(?:e|es|ing) )\bplaces?\b/i, forUsers],
  ['there', /\bthere\b(?!['’]|$| (?:is|are|was|were|has|have|may|must|can|will|would|should)\b)/i, forUsers],
  ['route', /\b(?:GET|POST|PUT|PATCH|DELETE) \/api/, ['console', 'notification']],
  ['title: what', /(?:^|[ ,:])what (?!if\b)/i, ['title']],
  ['title: which', /\bwhich(?:ever)?\b/i, ['title']],
  ['title: length', /^\S+(?:\s+\S+){14,}$/, ['title']],
  ['title: verb', new RegExp(`^(?:${noVerbs.replaceAll(' ', '|')})\\b`, 'i'), ['title']],
];
