import type { contract } from '@liquidity-os/contract'

type Cause = contract.ReconciliationCause

/** What is known of one container and asset; atoms. */
export interface Sides {
  /** What entries stand for; 0 where none does. */
  readonly ledger: bigint
  /** Whether an entry stands for anything of it. */
  readonly isRecorded: boolean
  /** What the container held when an entry was last observed; null where none was, or they were at different blocks. */
  readonly lastObserved: bigint | null
  /** Null for a container that is on no chain; UNREADABLE where the chain did not answer. */
  readonly chain: bigint | null | 'UNREADABLE'
  /** Since the last observation: what came, what went, and what neither explains. Null where nothing was summed. */
  readonly flows: Flows | null
  readonly residualClass: 'NONE' | 'REBASE_OR_FEE' | 'UNEXPLAINED' | 'NOT_COMPUTED'
  readonly statements: readonly Stated[]
}

export interface Flows {
  readonly inflow: bigint
  readonly outflow: bigint
  readonly residual: bigint
}

/** What a signed statement says of the container. */
export interface Stated {
  readonly quantity: bigint
  readonly isLive: boolean
  /** Moved into the container and out of it since the block of the statement; null where nothing was summed. */
  readonly movedSince: bigint | null
}

/** Every cause that holds, the one that decides first. */
export interface Judged {
  readonly cause: Cause
  readonly alsoHolds: readonly Cause[]
  readonly custody: bigint | null
  readonly sides: 1 | 2 | 3
}

/** The causes in the order in which they decide, each with when it holds. */
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
      // Nobody recorded it, or what was observed then was already more than the entries stand for.
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
  /** Whether transfers since the observation lead from what entries stand for to what the chain has, to the atom. */
  readonly isExplained: boolean
}

const isNumber = (value: unknown): value is bigint => typeof value === 'bigint'

/**
 * Says why the sides of a line differ: the first cause that holds decides, and the others that hold are kept beside it. No
 * quantity is changed to make another fit.
 */
export function judge(sides: Sides): Judged {
  const { ledger, isRecorded, chain, statements, flows } = sides
  const live = statements.filter(({ isLive }) => isLive)
  const custody = live[0]?.quantity ?? null
  const onChain = isNumber(chain)
  // The ledger of a known container is there also where nothing was recorded: an unrecorded balance is a difference.
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
    // That nothing explains it is said of what nothing else explains.
    alsoHolds: cause === 'AGREED' ? [] : others.filter((other) => other !== 'UNEXPLAINED'),
    custody,
    sides: Math.max(1, Number(hasLedger) + Number(onChain) + Number(live.length > 0)) as 1 | 2 | 3,
  }
}

/** What a line adds to its reconciliation: one that is not whole makes it incomplete. */
export function agreementOf(
  causes: readonly Cause[],
): contract.TreasuryLedgerReconciliation['agreement'] {
  if (causes.some((cause) => cause === 'UNREADABLE' || cause === 'SINGLE_SIDED'))
    return 'INCOMPLETE'
  return causes.every((cause) => cause === 'AGREED') ? 'AGREED' : 'DIFFERENCES'
}
