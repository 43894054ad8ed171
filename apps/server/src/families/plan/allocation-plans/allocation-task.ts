import { performance } from 'node:perf_hooks'
import type { ErrorCode, FieldErrors } from '@liquidity-os/contract'
import { type AllocationInput, AllocationRefusal } from './allocation-input.ts'
import { computePlan } from './compute-plan.ts'
import { figuresOf, type PlanFigures } from './plan-payload.ts'

/** A plan, or why there is none; errors with codes do not survive the way out of a thread. */
export type AllocationAnswer =
  | ({ ok: true } & PlanFigures)
  | { ok: false; code: ErrorCode; fieldErrors: FieldErrors }

/** Computes a plan. Whichever thread does, the figures are the same but for the time it took. */
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
