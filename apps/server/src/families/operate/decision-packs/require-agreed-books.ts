import { Failure } from '../../../failure.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import {
  type BooksStatus,
  differingAccounts,
  readBooksStatus,
} from '../../plan/treasury-projections/api.ts'
import type { Metric, Pack } from './pack-types.ts'

/** Records whose figures depend on ledger holdings. */
const ofTreasury: readonly string[] = [
  'TreasuryProjection',
  'TreasuryStressStudy',
  'TreasuryReconciliation',
]

/**
 * In a capital study only the gap depends on the ledger; everything else follows from its targets.
 */
const isOfTreasury = ({ source, pointer }: Pick<Metric, 'source' | 'pointer'>): boolean =>
  ofTreasury.includes(source.resourceType) ||
  (source.resourceType === 'CapitalRequirementStudy' && pointer.startsWith('/payload/gap/'))

const maxAccounts = 8

/**
 * Submission of a packet with treasury figures requires that the ledger agrees with the chain.
 *
 * @throws Failure 409 that lists the figures, each differing account, and the remedy
 */
export async function requireAgreedBooks(
  records: TenantRecords,
  { options }: Pick<Pack, 'options'>,
): Promise<void> {
  const figures = options.flatMap(({ metrics }) => metrics.filter(isOfTreasury))
  if (figures.length === 0) return
  const books = await readBooksStatus(records)
  if (books.isAgreed) return
  const ids = [...new Set(figures.map(({ metricId }) => metricId))]
  throw new Failure('LIQUIDITY_DECISION_PACK_BOOKS_DIFFER', {
    fieldErrors: {
      command: [
        `SUBMIT requires reconciled treasury data for ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ` and ${ids.length - 5} other figures` : ''}. ${books.detail}`,
        ...accountWords(books),
        remedyOf(books),
      ],
    },
  })
}

function accountWords(books: BooksStatus): string[] {
  const accounts = differingAccounts(books)
  const rest = accounts.length - maxAccounts
  return [
    ...accounts.slice(0, maxAccounts),
    ...(rest > 0 ? [`${rest} more lines differ in ${books.reconciliation?.id}`] : []),
  ]
}

function remedyOf(books: BooksStatus): string {
  if (books.holdings.length === 0) return 'Enter the holdings of the treasury, then reconcile them.'
  const first =
    differingAccounts(books).length === 0
      ? ''
      : 'Refresh or correct the entries of these accounts. '
  return `${first}Create a reconciliation of ALL_ACTIVE. If required, have a second person acknowledge it. Then submit again.`
}
