import type { contract } from '@liquidity-os/contract'
import { type PolicyTerms, verdictOf } from '@liquidity-os/engine/policy'
import type { Hex } from 'viem'
import type { Release } from '../../../../market/adapters/release.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import {
  type ActionReads,
  evaluatePolicy,
  isFresh,
  quoteValue,
  readVaultContext,
  stateOf,
  unknownState,
  type Vault,
} from '../../autonomy-policies/api.ts'

/** A leg in the form of the policy. */
export interface CheckedLeg {
  readonly sellAmount: bigint
  readonly expectedBuy: bigint
  readonly minimumBuy: bigint
  /** Unix seconds. */
  readonly deadline: number
  readonly route: contract.ExecutionLegRecord['route']
  readonly adapterId: string | null
  /** The call of the leg, after the allowance that it is the first to need. */
  readonly calls: readonly contract.ExecutionCall[] | null
}

/**
 * Checks each leg against all sixteen rules in order, counting the turnover of earlier legs.
 *
 * A packet is one action. Below level 3 every leg has a separate packet, so the policy's minimum
 * interval must fit between legs before the later deadline. From level 3 on, one packet arms all
 * legs as one action.
 */
export async function checkLegs(
  records: TenantRecords,
  terms: {
    readonly policy: Parameters<typeof stateOf>[0]
    readonly limits: PolicyTerms
    readonly vault: Vault
    readonly release: Release | null
    readonly set: contract.QuoteSet
    readonly sellToken: string
    readonly buyToken: string
    readonly legs: readonly CheckedLeg[]
  },
): Promise<contract.ExecutionLegRecord['check'][]> {
  const { policy, limits, vault, release, set, sellToken, buyToken, legs } = terms
  const at = Math.floor(records.now / 1000)
  const context = await readVaultContext(records, vault, { at, release })
  const codes = new Map(
    set.contracts.map(({ address, codeHash }) => [address.toLowerCase(), codeHash]),
  )
  const reads = sealedReads(codes)
  let before = context.activity.turnoverQuote
  const checks: contract.ExecutionLegRecord['check'][] = []
  for (const [index, leg] of legs.entries()) {
    const isOneAction = limits.level >= 3 || index === 0
    const { rules, verdicts } = await evaluatePolicy(records, {
      terms: limits,
      vault,
      release,
      at,
      status: stateOf(policy, records.now),
      calls:
        leg.calls?.map(({ to, value, data }) => ({
          to,
          value: BigInt(value),
          data: data as Hex,
          operation: 0 as const,
        })) ?? null,
      controlEpoch: isFresh(vault, records.now) ? BigInt(vault.payload.controlEpoch) : null,
      neededLevel: 2 as const,
      route: leg.route,
      adapterId: leg.adapterId ?? undefined,
      stated: {
        amountIn: leg.sellAmount,
        assetIn: sellToken,
        assetOut: buyToken,
        expectedOut: leg.expectedBuy,
        minimumOut: leg.minimumBuy,
      },
      context: {
        price: context.price,
        activity: {
          ...context.activity,
          turnoverQuote: before,
          secondsSinceLast: isOneAction
            ? context.activity.secondsSinceLast
            : Math.floor((leg.deadline - at) / index),
        },
      },
      planned: leg.calls?.map(({ to, data }) => ({ to, data: data as Hex })) ?? [],
      reads,
    })
    checks.push({
      verdict: verdictOf(verdicts),
      rules,
      turnoverBeforeQuote: before === null ? null : `${before}`,
    })
    const value = quoteValue(set.pair, sellToken, leg.sellAmount, context.price)
    before = before === null || value === null ? null : before + value
  }
  return checks
}

/**
 * Code by the hashes that a sealed quote set holds. They cover runtime code only, so a contract that
 * the release knows by a template stays unknown. Legs are trades and name no positions.
 */
const sealedReads = (codes: ReadonlyMap<string, string>): ActionReads => ({
  checkCode: async (expected) => {
    const known = expected.map(({ address, runtimeCodeHash }) =>
      runtimeCodeHash === null ? null : codes.get(address.toLowerCase()) === runtimeCodeHash,
    )
    const isKnown = known.includes(false) ? false : known.includes(null) ? null : true
    const problem = 'The quote set does not hold the code that the release expects.'
    return { isKnown, problem: isKnown ? null : problem }
  },
  readState: async () => unknownState,
})
