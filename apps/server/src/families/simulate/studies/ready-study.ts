import { GridError, strategyGrid } from '@liquidity-os/engine/search'
import type { Config } from '../../../config.ts'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { orientationOf } from '../../../market/inline-market.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Threads } from '../../../threads.ts'
import { exactDefinition } from '../../plan/strategies/api.ts'
import { pathResultOf } from './paths/path-result.ts'
import { readPathSources } from './paths/path-sources.ts'
import { type PathRun, preparePaths, runPathStudy } from './paths/run-path-study.ts'
import { definitionOf } from './replay/arm-definition.ts'
import { replayMilliseconds, samplesOf } from './replay/replay-cost.ts'
import { type Replay, replayOf, replayResultOf } from './replay/replay-result.ts'
import { volatilityBefore } from './replay/volatility-before.ts'
import type { Series } from './sealed-series.ts'
import type { StudyResult } from './study-hashes.ts'
import { readStudyInput, type StudyInput } from './study-input.ts'
import { StudyThreads } from './study-threads.ts'
import type { StudySpec } from './validate-spec.ts'

/** A study with loaded, consistent inputs. */
export interface ReadyStudy {
  /** Work, in milliseconds of one core. */
  milliseconds: number
  compute: (run: PathRun) => Promise<{ result: StudyResult; series: Series[] }>
}

/**
 * Reads the sources of a valid specification and prepares the study.
 *
 * @throws Failure 404 for a missing source, 422 for an unsuitable one, and for a study above the
 * deployment's size limit
 */
export async function readyStudy(
  records: TenantRecords,
  { threads, config }: { threads: Threads; config: Config },
  spec: StudySpec,
): Promise<ReadyStudy> {
  const steps = new StudyThreads(threads)
  const study =
    spec.kind === 'REPLAY'
      ? await readyReplay(records, steps, spec)
      : await readyPaths(records, steps, spec)
  requireBudget(study.milliseconds, config.studyMilliseconds, 'ms of CPU time')
  return study
}

async function readyReplay(
  records: TenantRecords,
  threads: StudyThreads,
  spec: StudySpec,
): Promise<ReadyStudy> {
  const input = await readStudyInput(records, spec)
  const replay = replayOf(spec, input)
  requireBudget(replay.events, limits.studyEvents, 'events')
  requireBudget(
    samplesOf(spec, replay),
    limits.studySamples,
    'samples; increase the sample interval',
  )
  const { terms } = replay
  const volatility = await volatilityBefore(records, spec, input, terms.coverage.window.fromBlock)
  await requireCompiled(records, threads, spec, replay)
  if (spec.search) requireGrid(spec, spec.search, input)
  return {
    milliseconds: replayMilliseconds(spec, replay),
    compute: async ({ signal }) => {
      const task = await replay.task(records, volatility)
      return replayResultOf(
        spec,
        input,
        { task, terms, volatility },
        await threads.run(task, signal),
      )
    },
  }
}

/** @throws Failure 422 LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE for a definition written out in an arm */
async function requireCompiled(
  records: TenantRecords,
  threads: StudyThreads,
  spec: StudySpec,
  { terms }: Replay,
): Promise<void> {
  const definitions = spec.arms.flatMap((arm, index) =>
    'definition' in arm
      ? [{ at: `payload.arms.${index}.definition`, definition: arm.definition }]
      : [],
  )
  const last = terms.coverage.stretch.at(-1)
  if (definitions.length === 0 || !last) return
  const fieldErrors = await threads.compileArms({
    state: await records.artifact(last.payload.state.artifactHash),
    orientation: orientationOf(spec.pair),
    definitions,
  })
  if (Object.keys(fieldErrors).length > 0) {
    throw new Failure('LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE', { fieldErrors })
  }
}

/** @throws Failure 422 for a grid that cannot be laid over the definition of its arm */
function requireGrid(
  spec: StudySpec,
  { armId, grid }: NonNullable<StudySpec['search']>,
  input: StudyInput,
): void {
  const arm = spec.arms.find((one) => one.armId === armId)
  if (!arm || 'position' in arm) throw new Error(`The arm ${armId} has no strategy.`)
  const refuse = (why: string) =>
    new Failure('LIQUIDITY_STUDY_INPUT_INVALID', { fieldErrors: { 'payload.search.grid': [why] } })
  try {
    const { points } = strategyGrid(exactDefinition(definitionOf(arm, input)), grid)
    if (points.length === 0) throw refuse('has no point that is a valid strategy')
  } catch (error) {
    if (error instanceof GridError) throw refuse(error.message)
    throw error
  }
}

async function readyPaths(
  records: TenantRecords,
  threads: StudyThreads,
  spec: StudySpec,
): Promise<ReadyStudy> {
  const { evidence, strategies, observed } = await readPathSources(records, spec)
  const study = await preparePaths(threads, { spec, strategies, observed })
  requireBudget(study.sampleBytes, limits.studySampleBytes, 'bytes of samples')
  return {
    milliseconds: study.milliseconds,
    compute: async (run) => {
      const statistics = await runPathStudy(threads, spec, study, run)
      return { result: pathResultOf(spec, study, statistics, evidence), series: [] }
    },
  }
}

function requireBudget(needed: number, max: number, unit: string): void {
  if (needed <= max) return
  throw new Failure('LIQUIDITY_STUDY_BUDGET_EXCEEDED', {
    fieldErrors: { payload: [`must be at most ${max}, estimated at ${needed} ${unit}`] },
  })
}
