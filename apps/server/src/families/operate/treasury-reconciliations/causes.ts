import type { contract } from '@liquidity-os/contract'

type Cause = contract.ReconciliationCause

/** Known quantities for one container and asset, in atoms. */
export interface Sides {
  /** Total of ledger entries; 0 without entries. */
  readonly ledger: bigint
  /** True if a ledger entry exists. */
  readonly isRecorded: boolean
  /**
   * Container balance at the last observation of its entries. Null without an observation, or if
   * the blocks differ.
   */
  readonly lastObserved: bigint | null
  /** Null for an off-chain container; UNREADABLE if the chain did not respond. */
  readonly chain: bigint | null | 'UNREADABLE'
  /** Inflow, outflow and residual since the last observation; null if not computed. */
  readonly flows: Flows | null
  readonly residualClass: 'NONE' | 'REBASE_OR_FEE' | 'UNEXPLAINED' | 'NOT_COMPUTED'
  readonly statements: readonly Stated[]
}

export interface Flows {
  readonly inflow: bigint
  readonly outflow: bigint
  readonly residual: bigint
}

export interface Stated {
  readonly quantity: bigint
  readonly isLive: boolean
  /** Net transfers since the statement's block; null if not computed. */
  readonly movedSince: bigint | null
}

/** All causes that apply, the decisive one first. */
export interface DifferenceCauses {
  readonly cause: Cause
  readonly alsoHolds: readonly Cause[]
  readonly custody: bigint | null
  readonly sides: 1 | 2 | 3
}

/** Causes in order of precedence, each with its condition. */
const rules: readonly (readonly [Cause, (seen: Seen) => boolean])[] = [
  ['AGREED', ({ known }) => known.length >= 2 && known.every((one) => one === known[0])],
  ['UNREADABLE', ({ chain }) => chain === 'UNREADABLE'],
  ['SINGLE_SIDED', ({ known }) => known.length < 2],
  ['DUPLICATE_CLAIM', ({ ledger, lastObserved }) => lastObserved !== null && ledger > lastObserved],
  [
    'MISSING_LEDGER',
    ({ isRecorded, ledger, chain, lastObserved }) =>
      isNumber(chain) &&
      chain > ledger &&
      // Either no entry exists, or the observed balance already exceeded the entries.
      (!isRecorded || (lastObserved !== null && lastObserved > ledger)),
  ],
  [
    'MISSING_CHAIN',
    ({ ledger, chain, isExplained }) => chain === 0n && ledger > 0n && !isExplained,
  ],
  ['CUSTODY_CONFLICT', ({ live }) => live.some(({ quantity }) => quantity !== live[0]?.quantity)],
  ['CUSTODY_EXPIRED', ({ statements, live }) => statements.length > 0 && live.length === 0],
  [
    'CUSTODY_STALE',
    ({ chain, live }) =>
      isNumber(chain) &&
      live.some(({ quantity, movedSince }) => {
        const isOff = quantity !== chain
        return isOff && movedSince !== null && quantity + movedSince === chain
      }),
  ],
  [
    'CUSTODY_DIFFERS',
    ({ chain, ledger, live }) => {
      const other = isNumber(chain) ? chain : ledger
      return live.some(
        ({ quantity, movedSince }) =>
          quantity !== other && (movedSince === null || quantity + movedSince !== other),
      )
    },
  ],
  ['LEDGER_STALE', ({ ledger, chain, isExplained }) => isExplained && ledger !== chain],
  ['REBASE_OR_FEE', ({ residualClass }) => residualClass === 'REBASE_OR_FEE'],
  ['UNEXPLAINED', () => true],
]

interface Seen extends Sides {
  /** Quantities of the sides that are present. */
  readonly known: readonly bigint[]
  readonly live: readonly Stated[]
  /**
   * True if transfers since the observation explain the difference between ledger and chain
   * exactly.
   */
  readonly isExplained: boolean
}

const isNumber = (value: unknown): value is bigint => typeof value === 'bigint'

/**
 * Determines the cause of a difference. The first matching cause wins; other matches are listed
 * with it. Quantities are never adjusted.
 */
export function determineCauses(sides: Sides): DifferenceCauses {
  const { ledger, isRecorded, chain, statements, flows } = sides
  const live = statements.filter(({ isLive }) => isLive)
  const custody = live[0]?.quantity ?? null
  const onChain = isNumber(chain)
  // A readable container always has a ledger side, even without entries. An unrecorded balance is
  // then a difference.
  const hasLedger = isRecorded || onChain
  const known = [
    ...(hasLedger ? [ledger] : []),
    ...(onChain ? [chain] : []),
    ...live.map(({ quantity }) => quantity),
  ]
  const isExplained =
    flows !== null &&
    flows.residual === 0n &&
    flows.inflow + flows.outflow > 0n &&
    ledger + flows.inflow - flows.outflow === chain
  const seen: Seen = { ...sides, live, known, isExplained }
  const holding = rules.flatMap(([cause, holds]) => (holds(seen) ? [cause] : []))
  const [cause = 'UNEXPLAINED', ...others] = holding
  return {
    cause,
    // UNEXPLAINED counts only if no other cause applies.
    alsoHolds: cause === 'AGREED' ? [] : others.filter((other) => other !== 'UNEXPLAINED'),
    custody,
    sides: Math.max(1, Number(hasLedger) + Number(onChain) + Number(live.length > 0)) as 1 | 2 | 3,
  }
}

/**
 * Overall result from the causes of the lines. One unreadable or single-sided line makes it
 * INCOMPLETE.
 */
export function agreementOf(
  causes: readonly Cause[],
): contract.TreasuryLedgerReconciliation['agreement'] {
  if (causes.some((cause) => cause === 'UNREADABLE' || cause === 'SINGLE_SIDED'))
    return 'INCOMPLETE'
  return causes.every((cause) => cause === 'AGREED') ? 'AGREED' : 'DIFFERENCES'
}
