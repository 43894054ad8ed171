import type { contract } from '@liquidity-os/contract'
import { benchmarkArmIds, type MonteCarloData } from '@liquidity-os/engine/montecarlo'
import { estimateCost, monteCarloSize } from '@liquidity-os/engine/study'
import type { Static } from 'typebox'
import {
  breakevenRounds,
  type SensitivityAnswer,
  type SensitivityTask,
} from './sensitivity-task.ts'

export type ArmSensitivity = Static<typeof contract.ArmSensitivity>
type Breakeven = ArmSensitivity['breakeven']['volume']
type Parameter = ArmSensitivity['tornado'][number]['parameter']

/** Threads that run a study again with other parameters. */
interface ParameterThreads {
  changeParameter(task: SensitivityTask, signal?: AbortSignal): Promise<SensitivityAnswer>
}

/** Paths that are rerun for each change; more would cost more than the study. */
const paths = 200
/** Factors for the sensitivity of a parameter. */
const swings = [0.8, 1.2] as const
/** Evaluations of a breakeven: both ends and the rounds between. */
const evaluations = breakevenRounds + 2

/** Work of the sensitivity analysis, in milliseconds of one core. */
export function sensitivityMilliseconds(data: MonteCarloData): number {
  const size = monteCarloSize(data)
  const once = estimateCost({ ...size, ...(size.kind === 'MONTE_CARLO' ? { paths } : {}) })
  const alone = estimateCost({
    ...size,
    ...(size.kind === 'MONTE_CARLO' ? { paths, arms: 1 } : {}),
  })
  const swung = parametersOf(data).length * swings.length * once.milliseconds
  const searched = searchedArms(data).length * 2 * evaluations * alone.milliseconds
  return swung + searched
}

/**
 * Sensitivity of the arms to volatility, volume and gas. It has the mean net vs HODL at ±20 %, and
 * the breakeven factor by bisection on common random numbers.
 *
 * @returns by arm; benchmarks have no breakeven
 */
export async function sensitivityOf(
  threads: ParameterThreads,
  data: MonteCarloData,
  signal?: AbortSignal,
): Promise<Map<string, ArmSensitivity>> {
  const changes = parametersOf(data).flatMap((parameter) =>
    swings.map((factor) => ({ parameter, factor })),
  )
  const [tornado, breakevens] = await Promise.all([
    Promise.all(
      changes.map(async ({ parameter, factor }) => {
        const factors = { [memberOf[parameter]]: factor }
        const answer = await threads.changeParameter({ data, paths, ask: 'MEANS', factors }, signal)
        const factorPips = Math.round(factor * 1_000_000)
        return { parameter, factorPips, means: meansIn(answer) }
      }),
    ),
    breakevensOf(threads, data, signal),
  ])
  const armIds = [...data.arms.map(({ armId }) => armId), ...benchmarkArmIds]
  return new Map(
    armIds.map((armId) => [
      armId,
      {
        paths,
        tornado: tornado.map(({ parameter, factorPips, means }) => ({
          parameter,
          factorPips,
          meanNetVsHold: means[armId] ?? '0',
        })),
        breakeven: breakevens.get(armId) ?? { volume: none, volatility: none },
      },
    ]),
  )
}

const none: Breakeven = { factorPips: null, reason: 'NOT_APPLICABLE' }
const memberOf = { VOLATILITY: 'volatility', VOLUME: 'volume', GAS: 'gas' } as const

/** The study's parameters that can be scaled: a zero parameter cannot. */
function parametersOf({ price, flow, cfg }: MonteCarloData): Parameter[] {
  const isMoving = price.kind === 'BLOCK_BOOTSTRAP' || price.annualVolatility > 0
  return [
    ...(isMoving ? (['VOLATILITY'] as const) : []),
    ...(flow ? (['VOLUME'] as const) : []),
    ...(cfg.gas.nativePriceX18 > 0n ? (['GAS'] as const) : []),
  ]
}

const searchedArms = ({ arms }: MonteCarloData) => arms.filter(({ kind }) => kind !== 'HOLD')

async function breakevensOf(
  threads: ParameterThreads,
  data: MonteCarloData,
  signal?: AbortSignal,
): Promise<Map<string, ArmSensitivity['breakeven']>> {
  const parameters = parametersOf(data)
  const find = async (armId: string, parameter: 'volume' | 'volatility'): Promise<Breakeven> => {
    if (!parameters.some((one) => memberOf[one] === parameter)) return none
    const task = { data, paths, ask: 'BREAKEVEN', armId, parameter } as const
    const answer = await threads.changeParameter(task, signal)
    if (answer.ask !== 'BREAKEVEN') throw new Error('The answer is not a breakeven.')
    return { factorPips: answer.factorPips, reason: answer.reason }
  }
  const found = searchedArms(data).map(async ({ armId }) => {
    const [volume, volatility] = await Promise.all([
      find(armId, 'volume'),
      find(armId, 'volatility'),
    ])
    return [armId, { volume, volatility }] as const
  })
  return new Map(await Promise.all(found))
}

function meansIn(answer: SensitivityAnswer): Record<string, string> {
  if (answer.ask !== 'MEANS') throw new Error('The answer has no means.')
  return answer.means
}
