import type { ChartTerms } from '@liquidity-os/drawing'
import type { HashedReport } from './study-report.ts'

/** State label, without an overstated claim. */
export function stateWords({ state, assessesMarketHealth }: HashedReport): string {
  const health = assessesMarketHealth ? '' : ' · does not assess market health'
  return `${state}${health}`
}

export function factsOf(report: HashedReport): [string, string][] {
  const { venue, pair, study, computedAt, reproduction } = report
  const { window } = reproduction.spec
  return [
    ...(venue
      ? ([['venue', `${venue.name}, ${venue.kind}, ${venue.address}`]] as [string, string][])
      : []),
    ['chain', `${pair.chainId}`],
    ['base', `${pair.base}, ${pair.baseDecimals} decimals`],
    ['quote', `${pair.quote}, ${pair.quoteDecimals} decimals`],
    ...(window
      ? ([['blocks', `${window.fromBlock} to ${window.toBlock}`]] as [string, string][])
      : []),
    ['study', study.id],
    ['version', study.resourceVersion],
    ['computed', computedAt],
    ['content', report.contentHash],
  ]
}

const leadingTables: readonly string[] = ['capital', 'vs-hodl', 'results', 'fee-band', 'risk']

/** The tables before the charts, and those after them. */
export function tablesInOrder({ tables }: HashedReport) {
  const isLeading = ({ id }: { id: string }) => leadingTables.includes(id)
  return {
    leading: tables.filter(isLeading),
    further: tables.filter((table) => !isLeading(table)),
  }
}

export function chartTermsOf({ pair, arms }: Pick<HashedReport, 'pair' | 'arms'>): ChartTerms {
  const { base, quote, baseDecimals, quoteDecimals } = pair
  // Pools order their tokens by address.
  const isBaseFirst = base.toLowerCase() < quote.toLowerCase()
  return { baseDecimals, quoteDecimals, isBaseFirst, arms }
}
