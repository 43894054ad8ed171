import { pairsTable, tablesToCsv } from '../../../reports/csv.ts'
import { simulatedFacts } from '../../../reports/simulated.ts'
import type { HashedReport } from './study-report.ts'

/** All numbers of a report as one RFC 4180 table, after a summary. */
export function reportToCsv(report: HashedReport): string {
  return tablesToCsv([pairsTable('report', summary(report)), ...report.tables, ...report.figures])
}

function summary(report: HashedReport): [string, string][] {
  const { study, name, state, headline, contentHash, pair } = report
  return [
    ['name', name],
    ['study', study.id],
    ['resourceVersion', study.resourceVersion],
    ['state', state],
    ...simulatedFacts(report.simulated),
    ['headline', headline],
    ['contentHash', contentHash],
    ['base', pair.base],
    ['baseDecimals', `${pair.baseDecimals}`],
    ['quote', pair.quote],
    ['quoteDecimals', `${pair.quoteDecimals}`],
    ...report.arms.map(({ armId, label }): [string, string] => [`arm ${armId}`, label]),
    ...report.gaps.map(({ code, detail }): [string, string] => [`gap ${code}`, detail]),
  ]
}
