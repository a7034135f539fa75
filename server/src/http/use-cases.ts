export type { UseCases } from '@holdfast/core/server';
