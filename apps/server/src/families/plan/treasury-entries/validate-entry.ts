import type { contract, FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { validateSchedule } from '../../../market/treasury/validate-schedule.ts'
import { obligationFigures } from './obligation-figures.ts'

type Input = contract.TreasuryBucketInput
type Holding = Extract<Input, { entryKind: 'ASSET' }>
type Obligation = Extract<Input, { entryKind: 'OBLIGATION' }>
type Fault = readonly [field: string, message: string]

/**
 * Rejects a contradictory entry before any chain read.
 *
 * @param evidence hashes that the request names
 * @param at prefix of its field paths
 * @throws Failure 422 with every invalid field: required and received value
 */
export function requireSoundEntry(input: Input, evidence: readonly string[], at: string): void {
  if (input.entryKind === 'OBLIGATION') {
    const { amount, schedule } = input.obligation
    refuse(
      'LIQUIDITY_TREASURY_SCHEDULE_INVALID',
      `${at}obligation.`,
      validateSchedule({ amount, schedule }),
    )
    refuse('LIQUIDITY_TREASURY_ENTRY_INCONSISTENT', at, validateObligation(input, evidence))
    return
  }
  refuse('LIQUIDITY_TREASURY_ENTRY_INCONSISTENT', at, validateHolding(input))
}

function validateObligation(
  { asset, obligation }: Obligation,
  evidence: readonly string[],
): Fault[] {
  const faults: Fault[] = []
  if (namedAsset(asset).kind === 'POSITION') {
    faults.push(['asset', `must be a fungible asset, not a position, got ${asset}`])
  }
  if (obligation.amount === '0') faults.push(['obligation.amount', 'must be above 0, got 0'])
  const { total } = obligationFigures(obligation, 0n, 0)
  if (total !== null && total >= 2n ** 256n) {
    faults.push(['obligation.amount', `must be less than 2^256 in total, got ${total}`])
  }
  if (obligation.certainty === 'COMMITTED' && evidence.length === 0) {
    const message = 'requires at least one of evidenceHashes for the binding contract, got none'
    faults.push(['obligation.certainty', `COMMITTED ${message}`])
  }
  return faults
}

function validateHolding(input: Holding): Fault[] {
  const { asset, container, allocation, loan, observation, restrictions = [] } = input
  const named = namedAsset(asset)
  const faults: Fault[] = []
  if ('address' in container) {
    if (observation?.mode === 'CUSTODY_EVIDENCE') {
      const message = 'must be CHAIN for an account on a chain'
      faults.push(['observation.mode', `${message}, got CUSTODY_EVIDENCE`])
    }
    if (named.kind === 'MONEY') {
      faults.push(['asset', `must be an asset of chain ${container.chainId}, got ${asset}`])
    } else if (named.chainId !== container.chainId) {
      faults.push([
        'container.chainId',
        `must be ${named.chainId}, the chain of the asset, got ${container.chainId}`,
      ])
    }
  }
  if (named.kind === 'POSITION' && allocation && allocation.kind !== 'WHOLE') {
    faults.push(['allocation.kind', `must be WHOLE for a position, got ${allocation.kind}`])
  }
  if (named.kind === 'POSITION' && restrictions.some(({ quantity }) => BigInt(quantity) > 1n)) {
    faults.push(['restrictions', 'must have a quantity of at most 1 for a position'])
  }
  if (allocation?.kind === 'FIXED' && allocation.quantity === '0') {
    faults.push(['allocation.quantity', 'must be above 0, got 0'])
  }
  return [...faults, ...validateLoan(container.kind, loan)]
}

function validateLoan(kind: string, loan: Holding['loan']): Fault[] {
  if (loan === undefined) return []
  if (kind !== 'MARKET_MAKER_ACCOUNT') {
    return [['loan', `must be omitted if container.kind is ${kind}`]]
  }
  const optioned = loan.callTranches.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n)
  if (optioned <= BigInt(loan.lentTokens)) return []
  return [
    ['loan.callTranches', `must sum to at most ${loan.lentTokens} lent tokens, got ${optioned}`],
  ]
}

function refuse(
  code: ConstructorParameters<typeof Failure>[0],
  at: string,
  faults: readonly Fault[],
): void {
  if (faults.length === 0) return
  const fieldErrors: FieldErrors = {}
  for (const [field, message] of faults) {
    fieldErrors[at + field] = [...(fieldErrors[at + field] ?? []), message]
  }
  throw new Failure(code, { fieldErrors })
}
