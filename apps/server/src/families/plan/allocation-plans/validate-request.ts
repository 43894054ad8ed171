import type { FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { required } from '../../../required.ts'
import { lowerPipsFault } from '../strategies/api.ts'
import type { AllocationRequest } from './allocation-input.ts'

/** Maximum of uint128, the limit of pool amounts. */
const max = 1n << 128n

/**
 * Rejects a contradictory request before any source is read.
 *
 * @throws Failure 422 LIQUIDITY_ALLOCATION_OPTION_INVALID or _TARGET_INVALID with every fault at
 * its field
 */
export function requireSoundRequest(request: AllocationRequest): void {
  const options = validateOption(request)
  if (Object.keys(options).length > 0) {
    throw new Failure('LIQUIDITY_ALLOCATION_OPTION_INVALID', { fieldErrors: options })
  }
  const targets = validateTarget(request)
  if (Object.keys(targets).length > 0) {
    throw new Failure('LIQUIDITY_ALLOCATION_TARGET_INVALID', { fieldErrors: targets })
  }
}

function validateOption({
  options,
  existing = [],
  budget,
  limits,
}: AllocationRequest): FieldErrors {
  const faults: FieldErrors = {}
  const ids = options.map(({ optionId }) => optionId)
  for (const [index, { optionId, maxQuote, template }] of options.entries()) {
    const tooLow = lowerPipsFault(template)
    if (tooLow) faults[`payload.options.${index}.template.lowerPips`] = [tooLow]
    if (ids.indexOf(optionId) < index) {
      faults[`payload.options.${index}.optionId`] = [`must be unique`]
    }
    note(faults, `payload.options.${index}.maxQuote`, maxQuote, 1n)
  }
  const named = existing.map(({ optionId }) => optionId)
  for (const [index, { optionId, valueQuote }] of existing.entries()) {
    const at = `payload.existing.${index}`
    if (!ids.includes(optionId)) faults[`${at}.optionId`] = ['must be the optionId of an option']
    else if (named.indexOf(optionId) < index) faults[`${at}.optionId`] = ['must be unique']
    note(faults, `${at}.valueQuote`, valueQuote)
  }
  note(faults, 'payload.budget.base', budget.base)
  note(faults, 'payload.budget.quote', budget.quote)
  note(faults, 'payload.limits.minPositionQuote', limits.minPositionQuote)
  note(faults, 'payload.limits.turnoverQuote', limits.turnoverQuote)
  return faults
}

function validateTarget({ targets, sizeTargets = [], risk }: AllocationRequest): FieldErrors {
  const faults: FieldErrors = {}
  const bands = targets.map(({ bandPips, side }) => `${bandPips}|${side}`)
  for (const [index, { minQuote }] of targets.entries()) {
    if (bands.indexOf(required(bands[index], 'band')) < index) {
      faults[`payload.targets.${index}.bandPips`] = ['must be unique on this side']
    }
    note(faults, `payload.targets.${index}.minQuote`, minQuote, 1n)
  }
  for (const [index, { sizeQuote }] of sizeTargets.entries()) {
    note(faults, `payload.sizeTargets.${index}.sizeQuote`, sizeQuote, 1n)
  }
  note(faults, 'payload.risk.maxCvarQuote', risk?.maxCvarQuote)
  return faults
}

function note(faults: FieldErrors, field: string, amount: string | undefined, min = 0n): void {
  if (amount === undefined) return
  const value = BigInt(amount)
  if (value < min) faults[field] = [`must be at least ${min}`]
  if (value >= max) faults[field] = ['must be below 2^128, the limit of a pool']
}
