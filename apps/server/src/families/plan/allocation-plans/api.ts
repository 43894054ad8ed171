export type { AllocationPlan } from './allocation-input.ts'
