import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { limits } from '../../../limits.ts'
import type { Pair } from '../../../market/pair.ts'
import { assetKeyOf } from '../../../market/prices/prices-of-pair.ts'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type IntentRecord, intentType } from '../../plan/intents/api.ts'
import type { MappedMarket } from './map-task.ts'

type Target = Static<typeof contract.PairMap>['targets'][number]

/** A depth target before comparison with the market. */
export type WantedDepth = Omit<Target, 'actualQuote' | 'shortfallQuote'>

const maxTargets = 12

/**
 * Depth targets of VALIDATED intents for a pair, newest intent first. A two-sided target counts as
 * two.
 */
export async function wantedDepths(records: TenantRecords, pair: Pair): Promise<WantedDepth[]> {
  const [token, quote] = [assetKeyOf(pair, pair.base), assetKeyOf(pair, pair.quote)]
  const now = new Date(records.now).toISOString()
  const intents = await records.find<IntentRecord['payload']>(intentType, {
    status: ['VALIDATED'],
    where: sql`lower(${member('payload.request.token')}) = ${token.toLowerCase()}
      and lower(${member('payload.request.quote')}) = ${quote.toLowerCase()}
      and ${member('payload.request.horizon.from')}::timestamptz <= ${now}::timestamptz
      and ${member('payload.request.horizon.to')}::timestamptz > ${now}::timestamptz`,
    limit: limits.mapIntents,
  })
  return intents.flatMap(({ id, resourceVersion, payload }) =>
    payload.request.targets.flatMap(({ side, movePips, depthQuote }) =>
      (side === 'BOTH' ? (['BUY', 'SELL'] as const) : [side]).map((one) => ({
        intent: { id, resourceVersion },
        side: one,
        bandPips: movePips,
        targetQuote: depthQuote,
      })),
    ),
  )
}

/** Bands of the first twelve targets; the map computes depth at these bands. */
export function comparedBands(wanted: readonly WantedDepth[]): number[] {
  return [...new Set(compared(wanted).map(({ bandPips }) => bandPips))]
}

const compared = (wanted: readonly WantedDepth[]) => wanted.slice(0, maxTargets)

/**
 * Compares targets with the combined depth of all fresh venues. Lists targets without comparison.
 */
export function compareTargets(
  wanted: readonly WantedDepth[],
  composite: MappedMarket['composite'],
): { targets: Target[]; reasons: string[] } {
  if (wanted.length === 0) return { targets: [], reasons: ['NO_INTENT_VALIDATED'] }
  if (composite === null) return { targets: [], reasons: ['TARGETS_NOT_COMPARED'] }
  const targets = compared(wanted).map((target): Target => {
    const there = composite.targetDepth.find(
      ({ bandPips, side }) => bandPips === target.bandPips && side === target.side,
    )
    if (there === undefined) throw new Error('The depth at the band of a target is missing.')
    const missing = BigInt(target.targetQuote) - BigInt(there.quote)
    const shortfallQuote = `${missing > 0n ? missing : 0n}`
    return { ...target, actualQuote: there.quote, shortfallQuote }
  })
  return { targets, reasons: wanted.length > maxTargets ? ['TARGETS_LEFT_OUT'] : [] }
}
