import type { LoggedMarket } from '@liquidity-os/engine/amm'
import { splitDepthChange } from '@liquidity-os/engine/detection'
import { limits } from '../../../limits.ts'
import { walkHistory } from '../../../market/venue-history.ts'
import {
  type Contributor,
  type Feature,
  type FeatureInputs,
  materialOf,
  missing,
  type Question,
} from './feature.ts'
import type { VenueMaterial } from './venue-material.ts'

const bandPips = 20_000

/** Thinner side of the 2 % depth. */
export function depthFeature(inputs: FeatureInputs, question: Question): Feature {
  const material = materialOf(inputs, question)
  if (material === null) return missing('NOT_OBSERVED', 'The venue was not observed.')
  const samples = onceProvided(
    [...material.readings.values()].map(({ at, depth }) => ({ at, value: depth })),
  )
  const isPool = material.history.kind === 'UNISWAP_V3'
  return {
    unit: 'QUOTE_ATOMS',
    samples,
    words: 'the thinner side of the 2 % depth',
    gaps: isPool
      ? []
      : [
          {
            code: 'CAUSE_NOT_SPLIT',
            detail: 'The causes of a decline are known for v3 pools only.',
          },
        ],
    contributors: (before) => (isPool ? causeOf(material, before, inputs.at) : []),
  }
}

/** Drops samples before the first liquidity, because no depth could disappear then. */
function onceProvided(samples: Feature['samples']): Feature['samples'] {
  const first = samples.findIndex(({ value }) => value > 0n)
  return first < 0 ? [] : samples.slice(first)
}

/** Effects of withdrawals and of the price between two times, and the accounts that withdrew. */
function causeOf(material: VenueMaterial, before: number, after: number): Contributor[] {
  const [then, now] = statesAt(material, [before, after])
  if (then?.kind !== 'UNISWAP_V3' || now?.kind !== 'UNISWAP_V3') return []
  // A pool without an initial price has no depth to split.
  if (then.sqrtPriceX96 === 0n || now.sqrtPriceX96 === 0n) return []
  const cause = splitDepthChange(then, now, material.history.orientation, bandPips)
  const owners = new Map<string, bigint>()
  for (const { at, owner, liquidity } of material.withdrawals) {
    if (at > before && at <= after) owners.set(owner, (owners.get(owner) ?? 0n) + liquidity)
  }
  const burns = [...owners]
    .toSorted(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0))
    .slice(0, limits.anomalyOwnersNamed)
    .map(([ref, amount]) => ({ kind: 'BURNED_LIQUIDITY', ref, amount }))
  const { venueId: ref } = material.history
  return [
    { kind: 'WITHDRAWAL', ref, amount: cause.liquidity },
    { kind: 'PRICE', ref, amount: cause.price },
    ...burns,
  ]
}

function statesAt({ history }: VenueMaterial, moments: readonly number[]): (LoggedMarket | null)[] {
  const found = new Map<number, LoggedMarket>()
  for (const step of walkHistory(history, moments)) {
    if (step.kind === 'SAMPLE') found.set(step.at, step.market.market())
  }
  return moments.map((at) => found.get(at) ?? null)
}
