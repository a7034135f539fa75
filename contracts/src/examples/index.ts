import { componentExamples } from './components.js';
import { fieldExamples } from './fields.js';

/**
 * Example values for documentation: by the name of a component, by `Component.field`, or by the name of a field. An
 * example that a schema has itself goes first; one that does not fit a schema does not count.
 */
export const examples: Record<string, unknown> = { ...fieldExamples, ...componentExamples };
