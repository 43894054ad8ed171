import { tierNow } from '../../../market/treasury/asset-classes.ts'
import type { TokenStandings } from '../../../market/treasury/token-standings.ts'
import type { Entry } from './read-sources.ts'
import { type SummaryHolding, summaryHolding } from './summary-holding.ts'

/** A holding as the summary tells it, in the tier that the records give it now. */
export function standingHoldings(
  entry: Entry,
  now: number,
  standings: TokenStandings,
): SummaryHolding[] {
  const { payload } = entry
  if (payload.entryKind !== 'ASSET') return []
  const tier = tierNow(payload, standings)
  return summaryHolding(entry, now).map((holding) => ({ ...holding, tier }))
}
