import type { contract } from '@liquidity-os/contract'
import { engineVersion, gasTable } from '@liquidity-os/engine'
import { engineBuildHash, lastParityRun } from '@liquidity-os/engine/build-hash'
import { canonicalize, H, sha256Hex } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import type { TenantRecords } from '../../../records/tenant-records.ts'
import { type EngineFidelity, fidelityOf } from '../../../simulation/fidelity.ts'
import type { ReplayTask, ReplayTaskResult, TaskArm } from '../../../simulation/replay-task.ts'
import type { StudyInput, StudySpec } from './study-input.ts'

export type StudyResult = Static<typeof contract.StudyResult>
export type StudyPayload = Static<typeof contract.SimulationStudy>

/** A time series that is stored beside the study. */
export interface Series {
  name: string
  hash: string
  rows: number
  content: Uint8Array
}

const defaultBands = [10_000, 20_000, 50_000]
const defaultSampleSeconds = 300
const defaultLatencySeconds = 60

/** Hash of what a study asks; inputs are in it as exact generations. */
export const specHashOf = (spec: StudySpec) => H('simulation-study-spec/v1', spec)

/** The task of a study for the threads, with its sealed inputs loaded and checked. */
export async function replayTaskOf(
  records: TenantRecords,
  spec: StudySpec,
  input: StudyInput,
): Promise<ReplayTask> {
  const [first] = input.observations
  if (!first) throw new Error('A study has at least one observation.')
  const events = await Promise.all(
    input.observations.map(({ payload }) => records.artifact(payload.events.artifactHash)),
  )
  const isQuote0 = spec.pair.quote.toLowerCase() < spec.pair.base.toLowerCase()
  return {
    start: await records.artifact(first.payload.start.artifactHash),
    events,
    window: spec.window,
    orientation: isQuote0 ? { base: 1, quote: 0 } : { base: 0, quote: 1 },
    capital: spec.capital,
    arms: spec.arms.map((arm): TaskArm => {
      const { armId } = arm
      if ('position' in arm) return { armId, ...arm.position }
      const strategy = input.strategies.get(armId)
      if (!strategy) throw new Error(`The strategy of ${armId} was not read.`)
      return { armId, kind: 'STRATEGY', definition: strategy.payload.definition }
    }),
    flowModels: spec.flowModels ?? ['INELASTIC_INPUT', 'PRICE_SETTING'],
    bandsPips: spec.bandsPips ?? defaultBands,
    tradeSizesQuote: spec.tradeSizesQuote,
    sampleSeconds: spec.sampleSeconds ?? defaultSampleSeconds,
    positions: 'COMPLETE',
    actionLatencySeconds: spec.actionLatencySeconds ?? defaultLatencySeconds,
    costs: spec.costs ?? null,
  }
}

/** The engine's own JSON, as far as it is read here. */
interface EngineStudy {
  state: StudyResult['state']
  reasons: string[]
  fidelity: EngineFidelity
  startPrice: { num: string; den: string } | null
  endPrice: { num: string; den: string } | null
  arms: {
    armId: string
    feeBand: { low: string; high: string }
    results: (Omit<
      StudyResult['arms'][number],
      'armId' | 'position' | 'positions' | 'operations' | 'depth'
    > & {
      opening: {
        positions: { tickLower: number; tickUpper: number; liquidity: string }[]
        deposited: { base: string; quote: string }
        idle: { base: string; quote: string }
      }
      operations: {
        actions: { done: Record<string, number>; refused: Record<string, number> }
        ownVolumeQuote: string
      }
      depth: {
        bandPips: number
        side: 'BUY' | 'SELL'
        samples: number
        median: string
        worst5: string
        worst1: string
      }[]
      series: unknown[]
      actions: unknown[]
      layouts: unknown[]
    })[]
  }[]
}

/** The result as the record holds it: the engine's numbers, and what they were computed from. */
export function studyResultOf(
  spec: StudySpec,
  input: StudyInput,
  task: ReplayTask,
  computed: ReplayTaskResult,
): { result: StudyResult; series: Series[] } {
  const study = computed.study as unknown as EngineStudy
  const series = seriesOf(study)
  const unproved = input.observations.filter(({ payload }) => !payload.continuity.proved)
  const gaps = unproved.flatMap(({ payload }) => payload.gaps)
  const reasons = [...study.reasons, ...(unproved.length > 0 ? ['OBSERVATION_UNPROVED'] : [])]
  const state = study.state === 'COMPLETED' && unproved.length > 0 ? 'PARTIAL' : study.state
  const specHash = specHashOf(spec)
  const body: Omit<StudyResult, 'resultHash'> = {
    state,
    reasons,
    assessesMarketHealth: state === 'COMPLETED',
    fidelity: fidelityOf(study.fidelity),
    parity: parityOf(),
    startPriceX18: x18(study.startPrice),
    endPriceX18: x18(study.endPrice),
    market: state === 'ABSTAINED' ? null : (computed.market as StudyResult['market']),
    arms: study.arms.flatMap(({ armId, results }) =>
      results.map((result) => armResultOf(armId, result)),
    ),
    feeBand: study.arms.map(({ armId, feeBand }) => ({
      armId,
      lowQuote: feeBand.low,
      highQuote: feeBand.high,
    })),
    seriesArtifacts: series.map(({ name, hash, rows }) => ({ name, hash, rows })),
    gaps,
    evidence: {
      engineVersion,
      engineBuildHash: engineBuildHash(),
      specHash,
      inputs: [
        { name: 'venue', hash: input.venue.resourceVersion },
        ...input.observations.map(({ resourceVersion }, index) => ({
          name: `observation.${index}`,
          hash: resourceVersion,
        })),
        ...[...input.strategies].map(([armId, { resourceVersion }]) => ({
          name: `strategy.${armId}`,
          hash: resourceVersion,
        })),
      ],
      blocks: [
        ...input.observations.slice(0, 1).map(({ payload }) => payload.range.from),
        ...input.observations.slice(-1).map(({ payload }) => payload.range.to),
      ],
      // A replay draws nothing; the seed is named so that every study has one.
      seed: spec.seed ?? H('study-seed/v1', specHash),
      assumptions: [
        ...task.flowModels.map((value) => ({
          code: 'FLOW_MODEL',
          value,
          source: spec.flowModels ? ('DECLARED' as const) : ('DEFAULT' as const),
        })),
        { code: 'REFERENCE_PRICE', value: 'POOL_POST_SWAP', source: 'DEFAULT' },
        { code: 'ARBITRAGE_COST_QUOTE', value: '0', source: 'DEFAULT' },
        spec.costs
          ? {
              code: 'GAS',
              value: `${gasTable.version} at a constant base fee`,
              source: 'DECLARED' as const,
            }
          : { code: 'GAS', value: 'NOT_CHARGED', source: 'DEFAULT' as const },
        {
          code: 'ACTION_LATENCY_SECONDS',
          value: String(task.actionLatencySeconds),
          source: spec.actionLatencySeconds ? ('DECLARED' as const) : ('DEFAULT' as const),
        },
        {
          code: 'SAMPLE_SECONDS',
          value: String(task.sampleSeconds),
          source: spec.sampleSeconds ? 'DECLARED' : 'DEFAULT',
        },
      ],
      gaps,
    },
  }
  return { result: { ...body, resultHash: H('study-result/v1', body) }, series }
}

/** An arm's numbers as the contract names them; what the engine measures beyond it stays behind. */
function armResultOf(
  armId: string,
  result: EngineStudy['arms'][number]['results'][number],
): StudyResult['arms'][number] {
  const { flowModel, waterfallHolder, waterfallMaker, flow, end, fees, operations } = result
  const positions = result.opening.positions.map(({ tickLower, tickUpper, liquidity }) => ({
    tickLower,
    tickUpper,
    liquidity,
  }))
  const { deposited, idle } = result.opening
  const [position, second] = positions
  return {
    armId,
    flowModel,
    // Null where nothing, or more than one position, is in the pool.
    position: position && !second ? { ...position, deposited, idle } : null,
    positions,
    operations: { ...operations.actions, ownVolumeQuote: operations.ownVolumeQuote },
    waterfallHolder,
    waterfallMaker,
    depth: result.depth.map(({ bandPips, side, samples, median, worst5, worst1 }) => ({
      bandPips,
      side,
      samples,
      medianQuote: median,
      worst5Quote: worst5,
      worst1Quote: worst1,
    })),
    // What is not in the pool is in no range.
    timeInRangePips: positions.length === 0 ? null : result.timeInRangePips,
    flow,
    end,
    fees,
  }
}

/** What was really compared: the kept run must be of this very source of the engine. */
function parityOf(): StudyResult['parity'] {
  const run = lastParityRun()
  if (run?.engineBuildHash !== engineBuildHash() || run.divergences !== 0) {
    return {
      verdict: 'UNVERIFIED',
      basis: 'No run against the genuine bytecode is kept for this build of the engine.',
    }
  }
  return {
    verdict: 'VERIFIED',
    basis: `${run.sequences} random operation sequences on genuine Uniswap bytecode, ${run.operations} operations and ${run.fields} storage fields equal, seeds from ${run.firstSeed}; see docs/methodology/engine-parity.md.`,
  }
}

/** Samples of each run; and what its arm did, and where its liquidity lay, where there is anything to tell. */
function seriesOf(study: EngineStudy): Series[] {
  return study.arms.flatMap(({ armId, results }) =>
    results.flatMap(({ flowModel, series, actions, layouts }) => {
      const name = `${armId}.${flowModel}`
      const told = [
        { name: `${name}.actions`, rows: actions },
        { name: `${name}.layouts`, rows: layouts },
      ]
      return [{ name, rows: series }, ...told.filter(({ rows }) => rows.length > 0)].map(artifactOf)
    }),
  )
}

function artifactOf({ name, rows }: { name: string; rows: unknown[] }): Series {
  const content = Buffer.from(canonicalize(rows))
  return { name, hash: `0x${sha256Hex(content)}`, rows: rows.length, content }
}

/** A rational price times 1e18, rounded down. */
function x18(price: { num: string; den: string } | null): string | null {
  return price ? ((BigInt(price.num) * 10n ** 18n) / BigInt(price.den)).toString() : null
}
