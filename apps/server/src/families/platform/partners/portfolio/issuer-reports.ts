import type { contract } from '@liquidity-os/contract'
import { limits } from '../../../../limits.ts'
import { pairKey } from '../../../../market/pair.ts'
import type { Services } from '../../../../services.ts'
import { StoreUnavailableError } from '../../../../store/database/database.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { signedReports } from '../../../simulate/study-reports/api.ts'

type Pair = contract.QualifiedVault['pair']
type Listed = NonNullable<NonNullable<contract.SharedVault['reports']>['value']>

/** Inspected signed reports of an issuer, newest first. */
export interface IssuerReports {
  readonly reports: readonly { readonly pair: Pair; readonly listed: Listed[number] }[]
  /** Number of missing or damaged reports. */
  readonly unread: number
  /** True if older reports exist that were not read. */
  readonly isCut: boolean
}

/** Reads reports of issuers for one answer, each issuer's once, however many of its vaults are shown. */
export function issuerReportsReader({ log }: Pick<Services, 'log'>) {
  const known = new Map<string, Promise<IssuerReports>>()
  return (issuer: TenantRecords): Promise<IssuerReports> => {
    const reading = known.get(issuer.organizationId) ?? readReports(issuer, log)
    known.set(issuer.organizationId, reading)
    return reading
  }
}

export type ReportsReader = ReturnType<typeof issuerReportsReader>

async function readReports(issuer: TenantRecords, log: Services['log']): Promise<IssuerReports> {
  const max = limits.partnerReportsRead
  const found = await signedReports(issuer, max + 1)
  const reports: IssuerReports['reports'][number][] = []
  let unread = 0
  for (const { hash, reportHash, signedAt } of found.slice(0, max)) {
    try {
      const { pair, renderings } = JSON.parse((await issuer.artifact(reportHash)).toString('utf8'))
      const formats = ['json', ...renderings.map(({ format }: { format: string }) => format)]
      const listed = { contentHash: hash, formats, createdAt: signedAt } as Listed[number]
      reports.push({ pair, listed })
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error
      log.error({ err: error, reportHash }, 'Failed to read a signed report for a portfolio.')
      unread += 1
    }
  }
  return { reports, unread, isCut: found.length > max }
}

/**
 * Reports of one pair, with a note on omissions. Null if none is known and some were not inspected.
 */
export function reportsOfPair(
  { reports, unread, isCut }: IssuerReports,
  pair: Pair,
): { value: Listed | null; missing: string | null } {
  const key = pairKey(pair)
  const own = reports.filter((one) => pairKey(one.pair) === key).map(({ listed }) => listed)
  const value = own.slice(0, limits.partnerPortfolioReports)
  const remaining = [
    ...(unread > 0 ? [`Unreadable signed reports of the issuer: ${unread}.`] : []),
    ...(own.length > value.length
      ? [`Only the newest ${value.length} of the pair are listed.`]
      : isCut
        ? [`Only the newest ${limits.partnerReportsRead} reports of the issuer were checked.`]
        : []),
  ]
  const missing = remaining.length === 0 ? null : remaining.join(' ')
  return { value: value.length === 0 && missing !== null ? null : value, missing }
}
