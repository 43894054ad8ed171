import { type Orientation, toJsonSafe } from '@liquidity-os/engine/amm'
import {
  aggregate,
  aggregateTerms,
  type MonteCarloData,
  monteCarloSpec,
  type OpeningPositions,
  openingPositions,
} from '@liquidity-os/engine/montecarlo'
import { edgesIn } from '../../../../market/range-edges.ts'
import type { StudySpec } from '../validate-spec.ts'
import { isOneCourse, withoutChance } from './one-course.ts'
import { outcomesOf, type PathPart } from './path-part.ts'
import type { PathStatistics } from './path-statistics.ts'
import { type ArmTerms, simulatedArmOf } from './simulated-arm.ts'

/** All paths of a study, for a thread. */
export interface AggregatePathsTask {
  data: MonteCarloData
  failure: NonNullable<StudySpec['failure']>
  /** In path order. */
  parts: readonly Pick<PathPart, 'encoded'>[]
}

/**
 * Aggregates a study. Pure and in path order: the bytes do not depend on how the paths were run.
 */
export default function aggregatePaths(task: AggregatePathsTask): PathStatistics {
  const { data, failure, parts } = task
  const outcomes = parts.flatMap(outcomesOf)
  const spec = monteCarloSpec(data)
  const statistics = aggregate(outcomes, aggregateTerms(spec))
  const { cfg, steps, s0 } = data
  const opened = openingPositions(spec)
  const added: PathStatistics = {
    paths: {
      run: statistics.paths,
      most: data.paths,
      steps,
      stepSeconds: cfg.stepSeconds,
      halfWidthPips: data.halfWidthPips ?? 0,
      precision: statistics.precision === 'REACHED' ? 'REACHED' : 'PRECISION_NOT_REACHED',
      varies: true,
    },
    arms: statistics.arms.map((arm, index) =>
      simulatedArmOf(
        arm,
        // Every path has the same arms in the same order.
        outcomes.map((arms) => arms[index]!),
        { failure, cfg, steps, ...startOf(opened[index], s0, cfg.orientation) },
      ),
    ),
    comparisons: toJsonSafe(
      statistics.comparisons.map((comparison) => ({ metric: 'NET_VS_HOLD', ...comparison })),
    ) as unknown as PathStatistics['comparisons'],
  }
  return isOneCourse(outcomes) ? withoutChance(added) : added
}

function startOf(
  opened: OpeningPositions | undefined,
  market: MonteCarloData['s0'],
  orientation: Orientation,
): Pick<ArmTerms, 'positions' | 'startInventory'> {
  if (!opened) throw new Error('The candidate was not opened.')
  const { start, isFixed, positions } = opened
  return {
    startInventory: isFixed ? null : { base: `${start.base}`, quote: `${start.quote}` },
    positions: positions.map(({ liquidity, ...range }) => ({
      ...edgesIn(market, range, orientation),
      liquidity: `${liquidity}`,
    })),
  }
}
