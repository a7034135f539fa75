/** Lists folders on this machine, and checks sources before they are backed up. */

export { surveyHost } from './remote-survey.js';
export { newSurvey, skippedFrom } from './survey.js';
export { placesUseCases } from './use-cases.js';
