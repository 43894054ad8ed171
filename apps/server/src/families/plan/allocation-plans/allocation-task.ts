import { performance } from 'node:perf_hooks'
import type { ErrorCode, FieldErrors } from '@liquidity-os/contract'
import { type AllocationInput, AllocationRefusal } from './allocation-input.ts'
import { computePlan } from './compute-plan.ts'
import { figuresOf, type PlanFigures } from './plan-payload.ts'

/** A plan, or the reason it does not exist. Error codes do not survive a thread boundary. */
export type AllocationAnswer =
  | ({ ok: true } & PlanFigures)
  | { ok: false; code: ErrorCode; fieldErrors: FieldErrors }

/** Computes a plan. The result is the same in every thread, except for the elapsed time. */
export default async function allocate(input: AllocationInput): Promise<AllocationAnswer> {
  const start = performance.now()
  try {
    const computed = await computePlan(input)
    return { ok: true, ...figuresOf(computed, input, Math.round(performance.now() - start)) }
  } catch (error) {
    if (!(error instanceof AllocationRefusal)) throw error
    return { ok: false, code: error.code, fieldErrors: error.fieldErrors }
  }
}
