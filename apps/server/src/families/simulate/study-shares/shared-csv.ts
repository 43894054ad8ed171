import { pairsTable, tablesToCsv } from '../../../reports/csv.ts'
import { simulatedFacts } from '../../../reports/simulated.ts'
import type { HashedSharedReport } from './shared-report.ts'
import { sharedFacts, sharedProof } from './shared-words.ts'

/** All numbers of a shared report as one table; exact, in the unit of the share. */
export function sharedReportToCsv(report: HashedSharedReport): string {
  const { study, headline, contentHash, arms, tables, figures } = report
  return tablesToCsv([
    pairsTable('report', [
      ['name', study.name],
      ['state', study.state],
      ...simulatedFacts(study.simulated),
      ['headline', headline],
      ['contentHash', contentHash],
      ['unit', study.unit],
      ['baseDecimals', `${study.decimals.base}`],
      ['quoteDecimals', `${study.decimals.quote}`],
      ...arms.map(({ armId, label }) => [`arm ${armId}`, label] as const),
      ...sharedFacts(study),
      ...sharedProof(study),
    ]),
    ...tables,
    ...figures,
  ])
}
