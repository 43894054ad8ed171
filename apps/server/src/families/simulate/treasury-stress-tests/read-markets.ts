import type { contract } from '@liquidity-os/contract'
import { dailyVolumeOf } from '../../../market/daily-volumes.ts'
import { type ReadVenue, readExitVenues } from '../../../market/exit-venues.ts'
import { venuesWithBase } from '../../../market/prices/daily-prices.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

type Input = contract.TreasuryStressInput
type Gap = contract.TreasuryGap

export interface ReadMarket {
  readonly assetKey: string
  readonly volumeSource: 'OBSERVED' | 'DECLARED' | 'NONE'
  readonly dailyVolume: bigint | null
  readonly observedDays: number
  readonly venues: readonly ReadVenue[]
}

const maxVenues = 16

/**
 * Venues and volumes of assets. A venue counts only if the asset is its base, because the token of
 * a pair does not serve as money. A declared volume counts only without an observed one.
 *
 * @param at Unix seconds
 */
export async function readMarkets(
  records: TenantRecords,
  { markets = [] }: Input,
  assetKeys: readonly string[],
  at: number,
): Promise<{ markets: ReadMarket[]; gaps: Gap[] }> {
  const gaps: Gap[] = []
  const found: ReadMarket[] = []
  for (const assetKey of assetKeys) {
    const profiles = (await venuesWithBase(records, assetKey)).slice(0, maxVenues)
    const venues = await readExitVenues(records, profiles)
    const observed = await dailyVolumeOf(records, profiles, at)
    const declared = markets.find((one) => one.assetKey === assetKey)
    const isDeclared = observed === null && declared !== undefined
    if (isDeclared) gaps.push(volumeDeclared(assetKey))
    found.push({
      assetKey,
      venues,
      observedDays: observed?.days ?? 0,
      volumeSource: observed ? 'OBSERVED' : isDeclared ? 'DECLARED' : 'NONE',
      dailyVolume: observed?.median ?? (isDeclared ? BigInt(declared.dailyVolume) : null),
    })
  }
  return { markets: found, gaps }
}

const volumeDeclared = (subject: string): Gap => ({
  code: 'VOLUME_DECLARED',
  subject,
  effect: 'BOUNDED',
  detail: 'No venue of it has a full day of observations; the volume is supplied by the caller.',
})
