import type { contract } from '@liquidity-os/contract'
import { blockTimeOf, publishedBlockTime } from '../../../market/block-time.ts'
import { observationsById } from '../../../market/completed-observations.ts'
import { eventsOf } from '../../../market/sealed-events.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/** Enough for a narrow interval of the median. */
const maxHeaders = 2000

export interface StudyBlockTime {
  readonly seconds: number
  readonly source: 'DECLARED' | 'CHAIN' | 'HEADERS'
}

/**
 * Time between blocks for the loss after fees: of the request, as published for the chain, or
 * measured from the headers of the named observations. Null with a gap if none is known.
 */
export async function readBlockTime(
  records: TenantRecords,
  { blockTimeSeconds, existingDepth, quote }: contract.CapitalRequirementInput,
  chainId: number | null,
): Promise<{ blockTime: StudyBlockTime | null; gaps: contract.TreasuryGap[] }> {
  if (blockTimeSeconds !== undefined) {
    return { blockTime: { seconds: blockTimeSeconds, source: 'DECLARED' }, gaps: [] }
  }
  const refs = existingDepth?.observations ?? []
  const known =
    (chainId === null ? null : publishedBlockTime(chainId)) ??
    (await measuredBlockTime(
      records,
      refs.map(({ id }) => id),
    ))
  if (known !== null) return { blockTime: known, gaps: [] }
  const detail =
    'No block time of the chain is published, and the named observations have too few headers. The loss after fees is not computed. Set blockTimeSeconds.'
  return {
    blockTime: null,
    gaps: [{ code: 'BLOCK_TIME_UNKNOWN', subject: quote, detail, effect: 'FLAGGED' }],
  }
}

async function measuredBlockTime(
  records: TenantRecords,
  ids: readonly string[],
): Promise<StudyBlockTime | null> {
  const found = await observationsById(records, ids)
  for (const id of ids) {
    const observation = found.get(id)
    if (!observation) continue
    const { events, range } = observation.payload
    const artifact = await records.sharedArtifact(events.artifactHash)
    const headers = [...eventsOf([artifact]).take(maxHeaders)].flatMap(({ block, timestamp }) =>
      timestamp == null ? [] : [{ block, timestamp }],
    )
    const start = {
      block: range.from.number,
      timestamp: Math.floor(Date.parse(range.from.timestamp) / 1000),
    }
    const measured = blockTimeOf([start, ...headers])
    if (measured) return { seconds: measured.seconds, source: 'HEADERS' }
  }
  return null
}
