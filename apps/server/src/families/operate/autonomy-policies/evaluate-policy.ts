import type { contract, SourceRef } from '@liquidity-os/contract'
import {
  type ActionFacts,
  judgeAction,
  type PolicyTerms,
  type RuleVerdict,
} from '@liquidity-os/engine/policy'
import type { Release } from '../../../market/adapters/release.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { evaluateCalldata, type MadeCall, movementOf, readCalls } from './action-calls.ts'
import {
  type Activity,
  activityOf,
  type NewestPrice,
  newestPrice,
  quoteValue,
} from './vault-activity.ts'

type Gap = contract.PolicyCheckResult['gaps'][number]

/** Input of a policy check: calls of a vault at a moment, under given limits. */
export interface PolicyCheckInput {
  readonly terms: PolicyTerms
  readonly vault: { readonly id: string; readonly payload: contract.QualifiedVault }
  readonly release: Release | null
  readonly calls: readonly MadeCall[] | null
  readonly status: ActionFacts['status']
  /** Unix seconds. */
  readonly at: number
  readonly controlEpoch: bigint | null
  readonly neededLevel: ActionFacts['neededLevel']
  readonly route: ActionFacts['route']
  /** Stated facts of the action in addition to its calls. */
  readonly adapterId?: string | undefined
  readonly stated?: {
    readonly amountIn?: bigint | undefined
    readonly assetIn?: string | undefined
    readonly expectedOut?: bigint | undefined
    readonly minimumOut?: bigint | undefined
    /** Output token, if the calldata does not contain it. */
    readonly assetOut?: string | undefined
  }
  /** Prices and vault activity to use instead of the recorded ones; default: read from records. */
  readonly context?: PolicyContext
  /** Turnover of earlier actions in the same series, in quote atoms; null if unknown. */
  readonly before?: { readonly turnoverQuote: bigint | null }
  /** True if the called contracts run the code of the signed release; null if not checked. */
  readonly isCodeKnown: (expected: ReadonlyMap<string, string>) => Promise<boolean | null>
}

/** Newest price of the pair, with executed and pending vault activity. */
export interface PolicyContext {
  readonly price: NewestPrice | null
  readonly activity: Activity
}

/** Prices and vault activity from the records at a moment, in Unix seconds. */
export async function readVaultContext(
  records: TenantRecords,
  { id, payload: { pair } }: PolicyCheckInput['vault'],
  at: number,
): Promise<PolicyContext> {
  const price = await newestPrice(records, pair, at)
  return { price, activity: await activityOf(records, id, pair, at, price) }
}

export interface PolicyCheckResult {
  readonly rules: contract.PolicyRuleResult[]
  readonly verdicts: readonly RuleVerdict[]
  readonly facts: ActionFacts
  readonly gaps: readonly Gap[]
  readonly quotedOut: bigint | null
  readonly amountIn: bigint | null
  readonly minimumOut: bigint | null
}

const x36 = 10n ** 36n
const gap = (code: string, detail: string): Gap => ({ code, detail })

/**
 * Collects the facts for all rules and evaluates them. A missing fact is null, with a gap that
 * states the reason.
 */
export async function evaluatePolicy(
  records: TenantRecords,
  input: PolicyCheckInput,
): Promise<PolicyCheckResult> {
  const { terms, vault, release, at, stated = {} } = input
  const { pair, safeAddress, chainId } = vault.payload
  const read = input.calls && readCalls(input.calls, chainId, terms, release)
  const moved = read && movementOf(read)
  const { price, activity } = input.context ?? (await readVaultContext(records, vault, at))
  const amountIn = moved?.amountIn ?? stated.amountIn ?? null
  const assetIn = moved?.assetIn ?? stated.assetIn ?? null
  const minimumOut = moved?.minimumOut ?? stated.minimumOut ?? null
  const quotedOut = quotedFor(pair, assetIn, amountIn, price)
  const facts: ActionFacts = {
    status: input.status,
    at,
    expiresAt: Date.parse(terms.expiresAt) / 1000,
    controlEpoch: input.controlEpoch,
    neededLevel: input.neededLevel,
    targets: read?.plain.map(({ to }) => to.toLowerCase()) ?? null,
    assets: assetsOf(moved?.assets ?? null, stated),
    adapter: await adapterFacts(input, moved?.adapterIds ?? [], read?.expectedCode ?? new Map()),
    amountQuote:
      amountIn === null || assetIn === null ? null : quoteValue(pair, assetIn, amountIn, price),
    turnoverQuote: turnoverOf(activity.turnoverQuote, input.before),
    slippagePips: slippageOf(minimumOut, quotedOut),
    // The execution time of later packets in a series is unknown.
    secondsSinceLast: input.before ? null : activity.secondsSinceLast,
    priceAgeSeconds: price && at - price.at,
    midPriceX36: price?.priceX36 ?? null,
    executionPriceX36: priceOf(pair, assetIn, amountIn, stated.expectedOut ?? minimumOut),
    route: input.route,
    calldata: read && evaluateCalldata(read, terms, pair, safeAddress),
    isPlain: read?.isPlain ?? null,
  }
  const verdicts = judgeAction(terms, facts)
  return {
    rules: verdicts.map((one) => resultOf(one, price, activity.evidence)),
    verdicts,
    facts,
    quotedOut,
    amountIn,
    minimumOut,
    gaps: [
      ...(price
        ? []
        : [gap('PRICE_UNAVAILABLE', 'No feed reported a price of the pair in the last day.')]),
      ...(release
        ? []
        : [
            gap(
              'RELEASE_UNAVAILABLE',
              'No signed adapter release is trusted, so calls cannot be decoded.',
            ),
          ]),
      ...(read?.read.includes(null)
        ? [gap('CALLDATA_UNREADABLE', 'The release does not know the function of a call.')]
        : []),
      ...(activity.turnoverQuote === null
        ? [
            gap(
              'TURNOVER_UNVALUED',
              'An asset moved in the last 86,400 seconds has no value in the quote.',
            ),
          ]
        : []),
    ],
  }
}

/** Assets moved by the calls, and by the actions that they trigger elsewhere. */
function assetsOf(
  moved: readonly string[] | null,
  { assetIn, assetOut }: NonNullable<PolicyCheckInput['stated']>,
): readonly string[] | null {
  if (moved === null) return null
  const statement = [assetIn, assetOut].filter((one) => one !== undefined)
  return [...new Set([...moved, ...statement])]
}

function turnoverOf(of: bigint | null, before: PolicyCheckInput['before']): bigint | null {
  if (before === undefined) return of
  return of === null || before.turnoverQuote === null ? null : of + before.turnoverQuote
}

async function adapterFacts(
  { terms, release, adapterId, isCodeKnown }: PolicyCheckInput,
  found: readonly string[],
  expected: ReadonlyMap<string, string>,
): Promise<ActionFacts['adapter']> {
  const named = adapterId === undefined ? found : [adapterId, ...found]
  // Policies do not approve the batch adapter; its contained calls are checked.
  const ids = [...new Set(named)].filter((id) => id !== 'safe-batch-call-only')
  const foreign = ids.find((id) => !terms.approvedAdapterIds.includes(id))
  const id = foreign ?? ids[0] ?? null
  const isInRelease =
    release === null
      ? null
      : ids.every((one) => release.manifest.adapters.some(({ adapterId: known }) => known === one))
  return { id, isInRelease, isCodeKnown: release === null ? null : await isCodeKnown(expected) }
}

/** Output for an amount at the mid price, rounded down; null for a token outside the pair. */
function quotedFor(
  { base, quote }: contract.QualifiedVault['pair'],
  asset: string | null,
  amount: bigint | null,
  price: NewestPrice | null,
): bigint | null {
  if (asset === null || amount === null || price === null || price.priceX36 === 0n) return null
  if (asset.toLowerCase() === base.toLowerCase()) return (amount * price.priceX36) / x36
  return asset.toLowerCase() === quote.toLowerCase() ? (amount * x36) / price.priceX36 : null
}

/** 1 − minimumOut / quoted in pips, rounded up; negative values count as 0. */
function slippageOf(minimumOut: bigint | null, quotedOut: bigint | null): bigint | null {
  if (minimumOut === null || quotedOut === null || quotedOut === 0n) return null
  const lost = quotedOut - minimumOut
  return lost <= 0n ? 0n : (lost * 1_000_000n + quotedOut - 1n) / quotedOut
}

/** Execution price in quote atoms per base atom, times 10^36, rounded down. */
function priceOf(
  { base, quote }: contract.QualifiedVault['pair'],
  asset: string | null,
  amountIn: bigint | null,
  out: bigint | null | undefined,
): bigint | null {
  if (asset === null || amountIn === null || out === null || out === undefined) return null
  if (asset.toLowerCase() === base.toLowerCase())
    return amountIn === 0n ? null : (out * x36) / amountIn
  if (asset.toLowerCase() !== quote.toLowerCase()) return null
  return out === 0n ? null : (amountIn * x36) / out
}

const ofPrice = ['R08', 'R10', 'R12', 'R13']
const ofReceipts = ['R09', 'R11']

function resultOf(
  { margin, ...verdict }: RuleVerdict,
  price: NewestPrice | null,
  receipts: readonly SourceRef[],
): contract.PolicyRuleResult {
  const evidence = ofPrice.includes(verdict.ruleId)
    ? (price?.evidence ?? [])
    : ofReceipts.includes(verdict.ruleId)
      ? receipts
      : []
  return {
    ...verdict,
    ruleId: verdict.ruleId as contract.PolicyRuleResult['ruleId'],
    margin: margin === null ? null : `${margin}`,
    evidence: [...evidence],
  }
}
