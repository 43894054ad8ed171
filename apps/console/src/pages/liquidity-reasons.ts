import type { VenueLiquidity, VenuePositions } from '../api/liquidity.ts'

type LiquidityReason = VenueLiquidity['reasons'][number]
type PositionReason = VenuePositions['positions'][number]['reasons'][number]
type PositionState = VenuePositions['positions'][number]['state']

export const liquiditySentences: Readonly<Record<LiquidityReason, string>> = {
  VENUE_NOT_OBSERVED: 'The venue has no indexed data yet.',
  NO_PRICE: 'The venue has no price.',
  NO_PRICE_RANGES: 'Liquidity by price exists for Uniswap v2 and v3 pools only.',
  OWN_LIQUIDITY_UNKNOWN:
    'The share of your positions is hidden: the service could not read a position.',
  PROVIDERS_UNKNOWN: 'Index the venue from its creation block to see its liquidity providers.',
  POSITION_MANAGER_AS_ONE_PROVIDER:
    'A position manager holds positions of many owners and counts as one liquidity provider.',
}

export const positionSentences: Readonly<Record<PositionReason, string>> = {
  POSITION_NOT_OBSERVED: 'Not in the indexed data yet. Index the venue again.',
  POSITION_OTHER_OWNER: 'Another account owns this position now.',
  POSITION_BURNT: 'The position token is burned.',
  POSITION_OTHER_POOL: 'The position belongs to another pool.',
  POSITION_UNKNOWN_MANAGER: 'The code of the position manager is unknown.',
  POSITION_FEES_NOT_OBSERVED:
    'An earlier release indexed this position without its fees. Index the venue again.',
  RESULTS_NOT_REQUESTED: 'Not computed here. Open the market page.',
  RESULTS_NEED_WALLET_POSITION:
    'Not available for position tokens: pool events name only the position manager.',
  HISTORY_INCOMPLETE:
    'The indexed history begins after the first deposit, or has a gap. Index the venue from before the first deposit.',
  HISTORY_LIMIT_REACHED:
    'Not available: the history since the first deposit exceeds 1,000 observations or 200,000 events. Less frequent indexing covers a longer time.',
  EVENTS_NOT_OBSERVED: 'The newest state is newer than the indexed events. Index the venue again.',
  FLOWS_CONTRADICT_STATE:
    'Not available: the indexed events do not explain the amounts of the position.',
}

export const positionStates: Readonly<Record<PositionState, string>> = {
  IN_RANGE: 'In range',
  BELOW: 'Price below range',
  ABOVE: 'Price above range',
  CLOSED: 'Closed',
  UNKNOWN: 'Unknown',
}

const resultReasons: ReadonlySet<PositionReason> = new Set([
  'RESULTS_NOT_REQUESTED',
  'RESULTS_NEED_WALLET_POSITION',
  'HISTORY_INCOMPLETE',
  'HISTORY_LIMIT_REACHED',
  'EVENTS_NOT_OBSERVED',
  'FLOWS_CONTRADICT_STATE',
] satisfies PositionReason[])

/** Reason for a missing result since the first deposit. */
export function resultReason(reasons: readonly PositionReason[]): string {
  const reason = reasons.find((one) => resultReasons.has(one)) ?? reasons[0]
  return reason === undefined ? 'Unknown.' : positionSentences[reason]
}

/** Reason for another missing figure; undefined if only a result is missing. */
export function stateReason(reasons: readonly PositionReason[]): string | undefined {
  const reason = reasons.find((one) => !resultReasons.has(one))
  return reason && positionSentences[reason]
}
