import { benchmarkArmIds } from '@liquidity-os/engine/montecarlo'
import { estimateCost } from '@liquidity-os/engine/study'
import type { StudySpec } from '../validate-spec.ts'
import type { Replay } from './replay-result.ts'
import { courseSamples } from './replay-task.ts'

type Spec = Pick<StudySpec, 'arms' | 'bandsPips' | 'tradeSizesQuote' | 'search' | 'costs'>
type Size = Pick<Replay, 'events' | 'seconds' | 'sampleSeconds'> & {
  terms: Pick<Replay['terms'], 'flowModels'>
}

/** Samples over all runs: every arm and benchmark, under each flow model. */
export function samplesOf(spec: Pick<Spec, 'arms'>, replay: Size): number {
  return samplesOfRun(replay) * runsOf(spec, replay)
}

const runsOf = ({ arms }: Pick<Spec, 'arms'>, { terms }: Size) =>
  (arms.length + benchmarkArmIds.length) * terms.flowModels.length

/** Samples of one run, at most. */
const samplesOfRun = ({ seconds, sampleSeconds }: Size): number =>
  (sampleSeconds === null ? courseSamples : Math.ceil(seconds / sampleSeconds)) + 1

/**
 * Time per sample of a run and declared base fee, because the engine searches the list for the gas of
 * the exit. Measured with 5,000 fees and 600 to 12,000 samples on an EPYC 9005: 8 to 11 ns.
 */
const baseFeeNanoseconds = 11

/** Work of a replay, in milliseconds of one core. */
export function replayMilliseconds(spec: Spec, replay: Size): number {
  const { events, terms } = replay
  const { bandsPips = [0, 0, 0], tradeSizesQuote, arms, search, costs } = spec
  const samples = samplesOfRun(replay)
  const size = {
    kind: 'REPLAY',
    events,
    arms: arms.length + benchmarkArmIds.length,
    flowModels: terms.flowModels.length,
    samples,
    quotesPerSample: 2 * (bandsPips.length + tradeSizesQuote.length),
  } as const
  const trials = search?.grid.reduce((product, { values }) => product * values.length, 1) ?? 0
  const trial = { ...size, arms: trials, flowModels: 1, quotesPerSample: 0 }
  const searched = trials === 0 ? 0 : estimateCost(trial).milliseconds
  const baseFees = costs && 'baseFees' in costs.gas ? costs.gas.baseFees.length : 0
  const searches = samples * (runsOf(spec, replay) + trials) * baseFees
  return (
    estimateCost(size).milliseconds + searched + Math.ceil((searches * baseFeeNanoseconds) / 1e6)
  )
}
