import type { contract, SourceRef } from '@liquidity-os/contract'
import {
  type ActionFacts,
  judgeAction,
  type PolicyTerms,
  type RuleVerdict,
} from '@liquidity-os/engine/policy'
import { contractAt } from '../../../market/adapters/contract-code.ts'
import { isBatchContract } from '../../../market/adapters/decode-call.ts'
import type { Release } from '../../../market/adapters/release.ts'
import { legsOfVault } from '../../../market/plan-legs.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { evaluateCalldata } from './action-calldata.ts'
import { type MadeCall, type ReadCalls, readCalls } from './action-calls.ts'
import {
  type GivenAllowance,
  judgedAdapters,
  type Movement,
  movementOf,
} from './action-movement.ts'
import { lossOf, quotedFor, slippageOfSteps } from './action-slippage.ts'
import { type ActionReads, type ActionState, unknownState } from './action-state.ts'
import { openAfter } from './open-allowances.ts'
import { type Executed, faultOfRefund, type Refund, refundsOf } from './refunds.ts'
import {
  type Activity,
  activityOf,
  type ExecutionPlace,
  type NewestPrice,
  newestPrice,
  quoteValue,
  valueOfOpen,
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
  /** Calls that a protected execution plan makes, in addition to the recorded plans. */
  readonly planned?: readonly Pick<MadeCall, 'to' | 'data'>[]
  /** Movements on chain, for an execution. */
  readonly executed?: Executed
  /** Place in the chain, for an execution. */
  readonly place?: ExecutionPlace
  /** Code of the called contracts, and the positions that the calls name. */
  readonly reads: ActionReads
}

/** Newest price of the pair, with executed and pending vault activity. */
export interface PolicyContext {
  readonly price: NewestPrice | null
  readonly activity: Activity
}

/** Prices and vault activity from the records at a moment, in Unix seconds. */
export async function readVaultContext(
  records: TenantRecords,
  vault: PolicyCheckInput['vault'],
  { at, release, place }: Pick<PolicyCheckInput, 'at' | 'release' | 'place'>,
): Promise<PolicyContext> {
  const price = await newestPrice(records, vault.payload.pair, at)
  return { price, activity: await activityOf(records, vault, { at, price, release, place }) }
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
  const read = input.calls && readCalls(input.calls, chainId, terms, release, safeAddress)
  const state = read ? await input.reads.readState(read) : unknownState
  const moved = read && movementOf(read, state)
  const { price, activity } = input.context ?? (await readVaultContext(records, vault, input))
  const isUnread = moved === null || moved.leaving === null
  const amountIn = moved?.amountIn ?? (isUnread ? (stated.amountIn ?? null) : null)
  const assetIn = moved?.assetIn ?? (isUnread ? (stated.assetIn ?? null) : null)
  const minimumOut = moved?.minimumOut ?? stated.minimumOut ?? null
  const quotedOut = quotedFor(pair, assetIn, amountIn, price)
  const code = read && (await codeFacts(input, read))
  const isReleaseContract = (address: string) =>
    release?.manifest.adapters.some((one) => contractAt(one, chainId, address)) === true
  const refunds = input.executed ? refundsOf(input.executed, read, moved) : []
  const refundFault = refundFaultOf(refunds, terms, isReleaseContract)
  const facts: ActionFacts = {
    status: input.status,
    at,
    expiresAt: Date.parse(terms.expiresAt) / 1000,
    controlEpoch: input.controlEpoch,
    neededLevel: input.neededLevel,
    targets: read?.plain.map(({ to }) => to.toLowerCase()) ?? null,
    assets: assetsOf(moved?.assets ?? null, stated, refunds),
    adapter: {
      ...adapterFacts(input, moved?.adapterIds ?? []),
      isCodeKnown: code?.isKnown ?? null,
      problem: code?.problem ?? null,
    },
    amountQuote: withRefunds(amountQuoteOf(moved, { pair, price, amountIn, assetIn }), refunds, {
      pair,
      price,
    }),
    turnoverQuote: turnoverOf(
      earlierTurnover(activity, moved, { pair, price, stated }),
      input.before,
    ),
    slippagePips: slippageOf(moved, { pair, price, state }, lossOf(minimumOut, quotedOut)),
    // The execution time of later packets in a series is unknown.
    secondsSinceLast: input.before ? null : activity.secondsSinceLast,
    priceAgeSeconds: price && at - price.at,
    midPriceX36: price?.priceX36 ?? null,
    executionPriceX36: hasTrade(moved)
      ? priceOf(pair, assetIn, amountIn, stated.expectedOut ?? minimumOut)
      : 'NOT_APPLICABLE',
    route: input.route,
    calldata:
      refundFault ??
      (read &&
        moved &&
        evaluateCalldata({
          calls: read,
          movement: moved,
          state,
          terms,
          pair,
          safe: safeAddress,
          isReleaseContract,
          isBatchContract: (address) =>
            release !== null && isBatchContract(release, chainId, address),
          isPlanned: await plannedAllowances(records, input, moved),
        })),
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
      ...(read?.steps.some((step) => step.read === null)
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

/** Assets moved by the calls, by the actions that they trigger elsewhere, and by refunds. */
function assetsOf(
  moved: readonly string[] | null,
  { assetIn, assetOut }: NonNullable<PolicyCheckInput['stated']>,
  refunds: readonly Refund[],
): readonly string[] | null {
  if (moved === null) return null
  const statement = [assetIn, assetOut].filter((one) => one !== undefined)
  return [...new Set([...moved, ...statement, ...refunds.map(({ token }) => token)])]
}

/**
 * Turnover before an action. Its use of an earlier allowance counts as its own amount instead.
 */
function earlierTurnover(
  { turnoverQuote, openAllowances }: Activity,
  moved: Movement | null,
  {
    pair,
    price,
    stated: { assetIn, amountIn },
  }: Pick<PolicyContext, 'price'> & {
    readonly pair: contract.QualifiedVault['pair']
    readonly stated: NonNullable<PolicyCheckInput['stated']>
  },
): bigint | null {
  if (turnoverQuote === null || moved === null || openAllowances.length === 0) return turnoverQuote
  const isOrder = moved.moving.some(({ kind }) => kind === 'ORDER')
  const order =
    isOrder && assetIn !== undefined && amountIn !== undefined
      ? { token: assetIn, amount: amountIn }
      : null
  const before = valueOfOpen(openAllowances, pair, price)
  const after = valueOfOpen(openAfter(openAllowances, moved, order), pair, price)
  return before === null || after === null ? null : turnoverQuote - before + after
}

function turnoverOf(of: bigint | null, before: PolicyCheckInput['before']): bigint | null {
  if (before === undefined) return of
  return of === null || before.turnoverQuote === null ? null : of + before.turnoverQuote
}

function adapterFacts(
  { terms, release, adapterId }: PolicyCheckInput,
  found: readonly string[],
): Pick<ActionFacts['adapter'], 'id' | 'isInRelease'> {
  const ids = judgedAdapters(adapterId === undefined ? found : [adapterId, ...found])
  const foreign = ids.find((id) => !terms.approvedAdapterIds.includes(id))
  const id = foreign ?? ids[0] ?? null
  const isInRelease =
    release === null
      ? null
      : ids.every((one) => release.manifest.adapters.some(({ adapterId: known }) => known === one))
  return { id, isInRelease }
}

const codeFacts = async ({ release, reads }: PolicyCheckInput, { expectedCode }: ReadCalls) =>
  release === null ? null : reads.checkCode(expectedCode)

/** Value of everything that can leave the Safe, in quote atoms rounded up. */
function amountQuoteOf(
  moved: Movement | null,
  {
    pair,
    price,
    amountIn,
    assetIn,
  }: {
    readonly pair: contract.QualifiedVault['pair']
    readonly price: NewestPrice | null
    readonly amountIn: bigint | null
    readonly assetIn: string | null
  },
): bigint | null {
  if (moved === null || moved.leaving === null) {
    return amountIn === null || assetIn === null ? null : quoteValue(pair, assetIn, amountIn, price)
  }
  return moved.leaving.reduce<bigint | null>((sum, { token, amount }) => {
    const value = quoteValue(pair, token, amount, price)
    return sum === null || value === null ? null : sum + value
  }, 0n)
}

/** Adds the refunds of an execution to its amount. */
function withRefunds(
  amountQuote: bigint | null,
  refunds: readonly Refund[],
  {
    pair,
    price,
  }: Pick<PolicyContext, 'price'> & { readonly pair: contract.QualifiedVault['pair'] },
): bigint | null {
  return refunds.reduce<bigint | null>((sum, { token, amount }) => {
    const value = quoteValue(pair, token, amount, price)
    return sum === null || value === null ? null : sum + value
  }, amountQuote)
}

function refundFaultOf(
  refunds: readonly Refund[],
  { approvedContracts }: PolicyTerms,
  isReleaseContract: (address: string) => boolean,
): NonNullable<ActionFacts['calldata']> | null {
  const approved = new Set(approvedContracts.map((address) => address.toLowerCase()))
  const isReceiver = (address: string) =>
    approved.has(address.toLowerCase()) && !isReleaseContract(address)
  for (const refund of refunds) {
    const path = faultOfRefund(refund, isReceiver)
    if (path !== null) return { holds: false, path }
  }
  return null
}

/** Slippage of decoded trades and liquidity changes, else of the stated trade. */
function slippageOf(
  moved: Movement | null,
  at: { pair: contract.QualifiedVault['pair']; price: NewestPrice | null; state: ActionState },
  stated: bigint | null,
): ActionFacts['slippagePips'] {
  if (moved === null || moved.assets === null) return stated
  if (moved.moving.some(({ kind }) => kind === 'ORDER')) return stated
  return slippageOfSteps(moved, at)
}

const hasTrade = (moved: Movement | null): boolean =>
  moved === null ||
  moved.assets === null ||
  moved.moving.some(({ kind }) => kind === 'SWAP' || kind === 'ORDER')

/** True for an allowance of a protected execution plan of the vault, byte for byte. */
async function plannedAllowances(
  records: TenantRecords,
  { vault, calls, planned = [] }: PolicyCheckInput,
  { allowances }: Movement,
): Promise<(allowance: GivenAllowance) => boolean> {
  const isOpen = allowances.some(
    ({ isUsed, amount, used }) => isUsed && amount !== 0n && amount !== used,
  )
  if (!isOpen || calls === null) return () => false
  const legs = await legsOfVault(records, vault.id)
  const known = [...planned, ...legs.flatMap((leg) => leg.allowances)]
  const isKnown = (data: string, to: string) =>
    known.some(
      (one) =>
        one.to.toLowerCase() === to.toLowerCase() && one.data.toLowerCase() === data.toLowerCase(),
    )
  return ({ step }) => step.data !== null && isKnown(step.data, step.to)
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
