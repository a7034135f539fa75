export type { AllUseCases, UseCases } from '@holdfast/core/server';
