import type { contract } from '@liquidity-os/contract'
import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { gasTable } from '@liquidity-os/engine/montecarlo'
import { engineVersion } from '@liquidity-os/engine/version'
import { H, type VersionedRecord } from '@liquidity-os/evidence'
import { isoOf } from '../quotes/admit-offers.ts'
import type { QuoteSetRecord } from '../records.ts'
import { buyTokenOf, type ComputedPlan, sellTokenOf } from './compute-plan.ts'
import type { Bounds } from './effective-bounds.ts'
import { preSignGas } from './usable-sources.ts'

type Plan = contract.ProtectedExecutionPlan

export function planPayload(terms: {
  readonly requested: contract.ExecutionPlanInput
  readonly set: QuoteSetRecord
  readonly policy: VersionedRecord<contract.AutonomyPolicy>
  readonly policyHash: string
  readonly bounds: Bounds
  readonly computed: ComputedPlan
}): Plan {
  const { requested, set, policy, policyHash, bounds, computed } = terms
  const { legs, answer } = computed
  const { payload } = set
  const reasons = reasonsOf(payload, computed)
  return {
    quoteSet: { id: set.id, resourceVersion: set.resourceVersion },
    setHash: payload.setHash,
    vaultId: payload.vaultId,
    chainId: payload.pair.chainId,
    taker: payload.taker,
    side: payload.side,
    pair: payload.pair,
    sellToken: sellTokenOf(payload),
    buyToken: buyTokenOf(payload),
    amountKind: payload.amountKind,
    amount: payload.amount,
    policy: { id: policy.id, resourceVersion: policy.resourceVersion },
    policyHash,
    policyLevel: policy.payload.level,
    constraints: requested.constraints,
    gas: serializeGas(computed),
    effective: {
      maximumSlippagePips: bounds.slippagePips,
      maximumMakerShare: bounds.maximumMakerPips,
      routes: [...bounds.routes],
      deadline: isoOf(bounds.deadline),
      minimumPriceX18: bounds.band.minX18 === null ? null : `${bounds.band.minX18}`,
      maximumPriceX18: bounds.band.maxX18 === null ? null : `${bounds.band.maxX18}`,
    },
    legs: [...legs],
    allowances: [...computed.allowances],
    totals: totalsOf(payload, computed),
    bestSingle: answer.bestSingle && {
      sourceId: answer.bestSingle.sourceId,
      expectedBuy: `${answer.bestSingle.amountOut}`,
    },
    optimality: {
      method: answer.optimality.method,
      upperBoundBuy: `${answer.optimality.upperBoundNet + answer.gasBuy}`,
      gapPips: Number(answer.optimality.gapPips),
      filled: answer.optimality.filled,
      nodes: answer.optimality.nodes,
    },
    rejected: computed.rejected.slice(0, 64).map((one) => ({ ...one })),
    routeNotes: [...bounds.routeNotes, ...notesOf(legs)],
    resultState: reasons.length === 0 ? 'COMPLETED' : 'PARTIAL',
    reasons,
    isArmable: legs.every(({ check }) => check.verdict === 'ALLOW'),
    expiresAt: legs
      .map(({ deadline }) => deadline)
      .toSorted()
      .at(-1) as string,
    evidence: evidenceOf(requested, set, computed),
    executionAuthorityGranted: false,
    executionPerformed: false,
  }
}

function serializeGas({ gas }: ComputedPlan): contract.ExecutionGas {
  return {
    ...(gas.baseFeeWei === null ? {} : { baseFeeWei: `${gas.baseFeeWei}` }),
    ...(gas.nativePriceX18 === null ? {} : { nativePriceX18: `${gas.nativePriceX18}` }),
  }
}

const sum = (legs: ComputedPlan['legs'], member: 'sellAmount' | 'expectedBuy' | 'minimumBuy') =>
  legs.reduce((total, leg) => total + BigInt(leg[member]), 0n)

const million = 1_000_000n
const x36 = 10n ** 36n

function totalsOf(set: contract.QuoteSet, { legs, answer }: ComputedPlan): Plan['totals'] {
  const [sell, buy] = [sum(legs, 'sellAmount'), sum(legs, 'expectedBuy')]
  const priced = legs.map(({ gasQuote }) => gasQuote)
  const price = set.reference === null ? 0n : BigInt(set.reference.priceX36)
  const atMid =
    price === 0n ? null : set.side === 'SELL' ? (sell * price) / x36 : (sell * x36) / price
  const single = answer.bestSingle?.amountOut ?? null
  return {
    sell: `${sell}`,
    expectedBuy: `${buy}`,
    minimumBuy: `${sum(legs, 'minimumBuy')}`,
    gasQuote: priced.includes(null)
      ? null
      : `${priced.reduce((total, one) => total + BigInt(one ?? 0), 0n)}`,
    versusMidPips: pips(buy, atMid),
    versusBestSinglePips: pips(buy, single),
  }
}

/** Relative difference in pips, rounded down; negative if less. */
function pips(amount: bigint, than: bigint | null): number | null {
  if (than === null || than === 0n) return null
  const scaled = (amount - than) * million
  const floor = scaled >= 0n ? scaled / than : -((-scaled + than - 1n) / than)
  return Number(floor)
}

function reasonsOf(set: contract.QuoteSet, { legs, gas, answer }: ComputedPlan): string[] {
  const sell = sum(legs, 'sellAmount')
  const isShort = set.takerBalance === null || BigInt(set.takerBalance) < sell
  return [
    ...(gas.inQuote(1) === null ? ['GAS_UNPRICED'] : []),
    ...(set.reference === null ? ['NO_REFERENCE'] : []),
    ...(isShort ? ['TAKER_BALANCE_SHORT'] : []),
    ...(answer.optimality.method === 'BOUNDED' ? ['SEARCH_BOUNDED'] : []),
    ...(legs.some(({ call }) => call === null) ? ['LEG_WITHOUT_CALL'] : []),
    ...(legs.some(({ check }) => check.verdict === 'INDETERMINATE')
      ? ['POLICY_INDETERMINATE']
      : []),
  ]
}

const routeTexts: Readonly<Record<contract.ExecutionLegRecord['route'], string>> = {
  SIGNED_QUOTE:
    'A solver settles the vault order against the market maker order at its price. No other trade can intervene.',
  BATCH_AUCTION: 'A solver settles the vault order in a batch at its price or better.',
  PRIVATE: 'Send the vault transaction to a builder or relay that keeps it private.',
  PUBLIC_MEMPOOL: 'The vault transaction is public before it is mined. See its sandwich bound.',
}

const notesOf = (legs: ComputedPlan['legs']): string[] =>
  [...new Set(legs.map(({ route }) => route))].map((route) => `${route}: ${routeTexts[route]}`)

function evidenceOf(
  requestedValue: contract.ExecutionPlanInput,
  { payload, resourceVersion, id }: QuoteSetRecord,
  { gas }: ComputedPlan,
): Plan['evidence'] {
  return {
    engineVersion,
    engineBuildHash: engineBuildHash(),
    specHash: H('execution-plan-spec/v1', requestedValue),
    inputs: [
      { name: `quote set ${id}`, hash: resourceVersion },
      ...payload.pools.map(({ venue, stateHash }) => ({
        name: `market ${venue.id}`,
        hash: stateHash,
      })),
    ],
    blocks: [payload.snapshot],
    seed: null,
    assumptions: [
      { code: 'NOBODY_TRADES_BEFORE', value: 'true', source: 'DEFAULT' },
      { code: 'GAS_TABLE', value: gasTable.version, source: 'DEFAULT' },
      { code: 'PRESIGN_GAS', value: `${preSignGas}`, source: 'CALIBRATED' },
    ],
    gaps:
      gas.inQuote(1) === null
        ? [
            {
              code: 'GAS_UNPRICED',
              detail: 'The native coin has no price in the quote token, so gas costs are unknown.',
            },
          ]
        : [],
  }
}
