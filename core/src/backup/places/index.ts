/** Lists folders of this machine, and looks at sources before they are backed up. */

export { surveyHost } from './remote-survey.js';
export { newSurvey, skippedFrom } from './survey.js';
export { placesUseCases } from './use-cases.js';
