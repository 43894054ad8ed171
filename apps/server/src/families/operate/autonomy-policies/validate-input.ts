import { contract, type ErrorCode } from '@liquidity-os/contract'
import { isExecutable, type PolicyTerms } from '@liquidity-os/engine/policy'
import { Failure } from '../../../failure.ts'
import { validateSignedScalar } from '../../../http/signed-scalars.ts'
import { dayMilliseconds } from '../../../units.ts'
import { termsOf } from './policy-terms.ts'

type Input = contract.AutonomyPolicyInput

const maxDays = 366
const encodable = 2n ** 128n

/**
 * Validates limits without correcting them.
 *
 * @param at path of the limits in the request
 * @throws Failure 400 if the caller supplies derived fields, 422 for every contradiction
 */
export function requireSoundInput(given: object, now: number, at = 'payload'): PolicyTerms {
  const supplied = contract.derivedPolicyFields.filter((field) => field in given)
  if (supplied.length > 0) {
    throw new Failure('LIQUIDITY_POLICY_DERIVED_FIELD_SUPPLIED', {
      fieldErrors: Object.fromEntries(
        supplied.map((field) => [
          `${at}.${field}`,
          ['must be omitted: the service determines it, got a value'],
        ]),
      ),
    })
  }
  const input = given as Input
  const form = validateSignedScalar(contract.AutonomyPolicyInput, input, at)
  if (Object.keys(form).length > 0) {
    throw new Failure('LIQUIDITY_POLICY_NOT_CANONICAL', { fieldErrors: form })
  }
  const terms = termsOf(input)
  for (const [code, field, message] of faultsOf(terms, now)) {
    throw new Failure(code, { fieldErrors: { [`${at}.${field}`]: [message] } })
  }
  return terms
}

type Fault = readonly [code: ErrorCode, field: string, message: string]

/** Contradictions between limits, most important first. */
export function faultsOf(terms: PolicyTerms, now: number): Fault[] {
  const { maximumAmountPerTransaction: each, maximumDailyTurnover: daily, expiresAt } = terms
  const { minimumPriceX18: min, maximumPriceX18: max } = terms
  const faults: Fault[] = []
  if (each > daily) {
    const message = `must be at most maximumDailyTurnover, ${daily}, got ${each}`
    faults.push(['LIQUIDITY_POLICY_CAPS_INVERTED', 'maximumAmountPerTransaction', message])
  }
  if (min !== null && max !== null && min > max) {
    const message = `must be at most maximumPriceX18, ${max}, got ${min}`
    faults.push(['LIQUIDITY_POLICY_PRICE_BAND_INVERTED', 'minimumPriceX18', message])
  }
  const ends = Date.parse(expiresAt)
  const latest = now + maxDays * dayMilliseconds
  if (ends <= now || ends > latest) {
    const message = `must be after ${new Date(now).toISOString()} and at most ${maxDays} days later, got ${expiresAt}`
    faults.push(['LIQUIDITY_POLICY_EXPIRY_PAST', 'expiresAt', message])
  }
  if (!isExecutable(terms)) return faults
  for (const field of ['approvedContracts', 'approvedAssets', 'approvedAdapterIds'] as const) {
    if (terms[field].length > 0) continue
    const message = `must name at least one at level ${terms.level}, got none`
    faults.push(['LIQUIDITY_POLICY_EXECUTABLE_SETS_EMPTY', field, message])
  }
  for (const field of ['maximumAmountPerTransaction', 'maximumDailyTurnover'] as const) {
    if (terms.level < 4 || terms[field] < encodable) continue
    const message = `must be below 2^128 at level 4, got ${terms[field]}`
    faults.push(['LIQUIDITY_POLICY_NOT_ENCODABLE', field, message])
  }
  return faults
}
