import type { contract } from '@liquidity-os/contract'
import { exponentialCovariance } from '@liquidity-os/engine/stress'
import { dailyVolumeOf } from '../../../market/daily-volumes.ts'
import { type ReadVenue, readExitVenues } from '../../../market/exit-venues.ts'
import { dailyPricesOf, venuesWithBase } from '../../../market/prices/daily-prices.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'

type Input = contract.UnlockImpactInput
type Gap = contract.TreasuryGap
type ImpactMarket = contract.UnlockImpact['market']

export interface ReadMarket {
  readonly volumeSource: ImpactMarket['volumeSource']
  readonly dailyVolume: bigint | null
  readonly volatilitySource: ImpactMarket['volatilitySource']
  readonly dailyVolatility: number | null
  readonly venues: readonly ReadVenue[]
  readonly gaps: readonly Gap[]
}

const windowDays = 365
const minReturns = 30
const maxVenues = 16

/**
 * Observed market data of the token, with the caller's values as fallback.
 *
 * @param at Unix seconds
 */
export async function readMarket(
  records: TenantRecords,
  { token, quote, market }: Input,
  at: number,
): Promise<ReadMarket> {
  const profiles = (await venuesWithBase(records, token)).slice(0, maxVenues)
  const venues = await readExitVenues(records, profiles)
  const volume = await dailyVolumeOf(records, profiles, at)
  const prices = await dailyPricesOf(records, {
    assetKey: token,
    quoteKey: quote,
    window: { from: at - windowDays * daySeconds, to: at },
  })
  const returns = prices && prices.returns.size >= minReturns ? prices.returns : null
  const declared = market?.dailyVolatilityPips
  const volatilitySource = returns ? 'OBSERVED' : declared === undefined ? 'NONE' : 'DECLARED'
  const volumeSource =
    volume !== null && volume.median > 0n
      ? 'OBSERVED'
      : market?.dailyVolumeTokens === undefined
        ? 'NONE'
        : 'DECLARED'
  return {
    volumeSource,
    volatilitySource,
    venues,
    dailyVolume:
      volumeSource === 'OBSERVED'
        ? (volume?.median ?? null)
        : volumeSource === 'DECLARED'
          ? BigInt(market?.dailyVolumeTokens ?? '0')
          : null,
    dailyVolatility: returns ? sigma(returns) : declared === undefined ? null : declared / 1e6,
    gaps: gapsOf({ token, volumeSource, volatilitySource, market }),
  }
}

function sigma(returns: ReadonlyMap<number, number>): number {
  const [[variance = 0] = []] = exponentialCovariance([...returns.values()].map((one) => [one]))
  return Math.sqrt(variance)
}

function gapsOf({
  token: subject,
  volumeSource,
  volatilitySource,
  market,
}: Pick<ImpactMarket, 'volumeSource' | 'volatilitySource'> & {
  readonly token: string
  readonly market: Input['market'] | undefined
}): Gap[] {
  const gap = (code: string, detail: string, effect: Gap['effect']): Gap => ({
    code,
    subject,
    detail,
    effect,
  })
  const unused = [
    ...(volumeSource === 'OBSERVED' && market?.dailyVolumeTokens !== undefined ? ['volume'] : []),
    ...(volatilitySource === 'OBSERVED' && market?.dailyVolatilityPips !== undefined
      ? ['volatility']
      : []),
  ]
  return [
    ...(volumeSource === 'DECLARED'
      ? [
          gap(
            'VOLUME_DECLARED',
            'No whole day of a venue was observed. The caller declared the volume.',
            'BOUNDED',
          ),
        ]
      : []),
    ...(volatilitySource === 'DECLARED'
      ? [
          gap(
            'VOLATILITY_DECLARED',
            'Fewer than 30 daily returns are sealed. The caller declared σ.',
            'BOUNDED',
          ),
        ]
      : []),
    ...(volumeSource === 'NONE'
      ? [
          gap(
            'VOLUME_UNAVAILABLE',
            'No daily volume is known. The square-root law gives no result.',
            'EXCLUDED',
          ),
        ]
      : []),
    ...(volumeSource !== 'NONE' && volatilitySource === 'NONE'
      ? [
          gap(
            'VOLATILITY_UNAVAILABLE',
            'No volatility is known. The square-root law gives no result.',
            'EXCLUDED',
          ),
        ]
      : []),
    ...(unused.length > 0
      ? [
          gap(
            'DECLARED_NOT_USED',
            `The declared ${unused.join(' and ')} is not used: prices or venues provide it.`,
            'FLAGGED',
          ),
        ]
      : []),
  ]
}
