import { greatestPriceX18, type PolicyField, type PolicyTerms } from './terms.ts'

/** Relation of one policy to another, in a field or as a whole. */
export type Relation = 'EQUAL' | 'NARROWER' | 'WIDER' | 'INCOMPARABLE'

export interface FieldComparison {
  readonly field: PolicyField
  readonly relation: Relation
  readonly before: string
  readonly after: string
  /** Of sets alone. */
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
}

export interface TermsComparison {
  readonly relation: Relation
  readonly perField: readonly FieldComparison[]
}

type Scalar = bigint | number | string
const ordered = (before: Scalar, after: Scalar): Relation =>
  before === after ? 'EQUAL' : after < before ? 'NARROWER' : 'WIDER'
const reversed = (before: Scalar, after: Scalar): Relation => ordered(after, before)

/** Bounds as numbers; an absent bound does not restrict. */
const leastOf = ({ minimumPriceX18 }: PolicyTerms) => minimumPriceX18 ?? 0n
const mostOf = ({ maximumPriceX18 }: PolicyTerms) => maximumPriceX18 ?? greatestPriceX18

/**
 * Compares the grants of two policies, field by field, on normal forms.
 *
 * `after ⊑ before` requires every field to be EQUAL or NARROWER. Vault and epoch must be the same:
 * another epoch would revive an invalidated policy, so it is never narrower. Caps, level, slippage,
 * price age and expiry must not be greater; pauses must not be shorter. Sets must be contained, and
 * price bounds must be inside. The public mempool is allowed only if it was before. The relation is
 * reflexive, transitive and antisymmetric.
 *
 * @returns NARROWER if `after` grants no more and something less, WIDER in the reverse case,
 * INCOMPARABLE if each grants something that the other does not
 */
export function compareTerms(before: PolicyTerms, after: PolicyTerms): TermsComparison {
  const identical = (a: Scalar, b: Scalar): Relation => (a === b ? 'EQUAL' : 'INCOMPARABLE')
  const one = (
    field: PolicyField,
    relation: Relation,
    b: unknown,
    a: unknown,
  ): FieldComparison => ({
    field,
    relation,
    before: `${b}`,
    after: `${a}`,
  })
  const by = (
    field: PolicyField,
    compare: (b: Scalar, a: Scalar) => Relation,
    read: (terms: PolicyTerms) => Scalar = (terms) => terms[field] as Scalar,
  ) => one(field, compare(read(before), read(after)), read(before), read(after))
  const perField: FieldComparison[] = [
    by('vaultId', identical),
    by('controlEpoch', identical),
    by('level', ordered),
    by('maximumAmountPerTransaction', ordered),
    by('maximumDailyTurnover', ordered),
    by('maximumSlippagePips', ordered),
    compareSets('approvedContracts', before, after),
    compareSets('approvedAssets', before, after),
    compareSets('approvedAdapterIds', before, after),
    by('minimumSecondsBetweenActions', reversed),
    by('oracleMaximumAgeSeconds', ordered),
    by('expiresAt', ordered),
    by('publicMempoolFallbackAllowed', ordered, (terms) =>
      terms.publicMempoolFallbackAllowed ? 1 : 0,
    ),
    by('minimumPriceX18', reversed, leastOf),
    by('maximumPriceX18', ordered, mostOf),
  ]
  return { relation: joined(perField.map(({ relation }) => relation)), perField }
}

function compareSets(
  field: 'approvedContracts' | 'approvedAssets' | 'approvedAdapterIds',
  before: PolicyTerms,
  after: PolicyTerms,
): FieldComparison {
  const added = after[field].filter((item) => !before[field].includes(item))
  const removed = before[field].filter((item) => !after[field].includes(item))
  const relation =
    added.length === 0
      ? removed.length === 0
        ? 'EQUAL'
        : 'NARROWER'
      : removed.length === 0
        ? 'WIDER'
        : 'INCOMPARABLE'
  return {
    field,
    relation,
    before: before[field].join(', '),
    after: after[field].join(', '),
    added,
    removed,
  }
}

function joined(relations: readonly Relation[]): Relation {
  const has = (relation: Relation) => relations.includes(relation)
  if (has('INCOMPARABLE') || (has('NARROWER') && has('WIDER'))) return 'INCOMPARABLE'
  return has('NARROWER') ? 'NARROWER' : has('WIDER') ? 'WIDER' : 'EQUAL'
}

/** Whether `after` grants no more than `before`. */
export function grantsNoMore(before: PolicyTerms, after: PolicyTerms): boolean {
  const { relation } = compareTerms(before, after)
  return relation === 'EQUAL' || relation === 'NARROWER'
}

/**
 * The widest limits within both policies: the tighter value per field. This is the effective limit
 * when policy, strategy guards and plan constraints all apply.
 *
 * @returns null for different vaults or epochs, which share no grants
 */
export function meetTerms(p: PolicyTerms, q: PolicyTerms): PolicyTerms | null {
  if (p.vaultId !== q.vaultId || p.controlEpoch !== q.controlEpoch) return null
  const least = <T extends Scalar>(a: T, b: T) => (a < b ? a : b)
  const most = <T extends Scalar>(a: T, b: T) => (a > b ? a : b)
  const common = (a: readonly string[], b: readonly string[]) => a.filter((one) => b.includes(one))
  const [low, high] = [most(leastOf(p), leastOf(q)), least(mostOf(p), mostOf(q))]
  return {
    vaultId: p.vaultId,
    controlEpoch: p.controlEpoch,
    level: least(p.level, q.level),
    maximumAmountPerTransaction: least(
      p.maximumAmountPerTransaction,
      q.maximumAmountPerTransaction,
    ),
    maximumDailyTurnover: least(p.maximumDailyTurnover, q.maximumDailyTurnover),
    maximumSlippagePips: least(p.maximumSlippagePips, q.maximumSlippagePips),
    approvedContracts: common(p.approvedContracts, q.approvedContracts),
    approvedAssets: common(p.approvedAssets, q.approvedAssets),
    approvedAdapterIds: common(p.approvedAdapterIds, q.approvedAdapterIds),
    minimumSecondsBetweenActions: most(
      p.minimumSecondsBetweenActions,
      q.minimumSecondsBetweenActions,
    ),
    oracleMaximumAgeSeconds: least(p.oracleMaximumAgeSeconds, q.oracleMaximumAgeSeconds),
    expiresAt: least(p.expiresAt, q.expiresAt),
    publicMempoolFallbackAllowed: p.publicMempoolFallbackAllowed && q.publicMempoolFallbackAllowed,
    minimumPriceX18: low === 0n ? null : low,
    maximumPriceX18: high === greatestPriceX18 ? null : high,
  }
}
