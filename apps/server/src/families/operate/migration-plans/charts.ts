import type { contract } from '@liquidity-os/contract'
import {
  type ChartCells,
  type ChartClass,
  type ChartSeries,
  type ChartSpec,
  cellSeries,
  columnsOf,
  decimalOf,
  named,
  printValue,
  usedClasses,
} from '@liquidity-os/drawing'
import type { Static } from 'typebox'
import { storedMidX36 } from '../../../market/mid-price.ts'

export interface DrawnMigration {
  readonly plan: Static<typeof contract.MigrationPlan>
  readonly state: Static<typeof contract.MigrationPlanState>
}

type Plan = DrawnMigration['plan']
type Step = Plan['steps'][number]
type Rung = Plan['start']['depth'][number]

/** The charts of a migration: steps, depth, location of the funds, and cost of a rollback. */
export const migrationCharts = (drawn: DrawnMigration): ChartSpec[] => [
  stepsChart(drawn),
  depthChart(drawn),
  fundsChart(drawn),
  rollbackChart(drawn),
]

const unit = 'quote'
const steps = { label: 'Completed steps', unit: '', scale: 'linear' } as const
const quote = (atoms: string | bigint, { request }: Plan) =>
  decimalOf(atoms, request.pair.quoteDecimals)

/** The value of base and quote at the plan price, quote atoms, rounded down. */
const worthOf = ({ base, quote }: { base: string; quote: string }, { start }: Plan): bigint =>
  (BigInt(base) * (storedMidX36(start) ?? 0n)) / 10n ** 36n + BigInt(quote)

const realizedSteps = ({ simulatedVsRealized }: DrawnMigration['state']) =>
  new Map(
    simulatedVsRealized
      .filter(({ way }) => way === 'FORWARD')
      .map((outcome) => [outcome.step, outcome]),
  )

/** All steps in order: progress, checkpoint, and whether a rollback is possible. */
function stepsChart(drawn: DrawnMigration): ChartSpec {
  const rows = stepRows(drawn)
  const { length } = drawn.plan.steps
  const final = drawn.plan.steps.filter(({ pointOfNoReturn }) => pointOfNoReturn).length
  return {
    id: 'migration-steps',
    kind: 'heat',
    title: 'Migration steps',
    summary: `${realizedSteps(drawn.state).size} of ${length} steps are completed. ${final} allow no rollback.`,
    x: named,
    table: { columns: stepColumns, rows },
    series: stepSeries,
    classes: usedClasses(
      stepClasses,
      rows.flatMap(([, , state = null, , back = null]) => [state, back]),
    ),
    empty: 'No steps planned.',
  }
}

const stepSeries = cellSeries('step', {
  tranche: 'Tranche',
  progress: ['State', 'state'],
  moves: `Moves, ${unit}`,
  rollback: ['Rollback', 'back'],
  checkpoint: 'Checkpoint',
})
const stepClasses: readonly ChartClass[] = [
  { value: 'VERIFIED', label: 'Verified', tone: 'good' },
  { value: 'DIVERGED', label: 'Diverged', tone: 'warn' },
  { value: 'NEXT', label: 'Next', tone: 'accent' },
  { value: 'NONE', label: 'No rollback', tone: 'bad' },
]
const stepColumns = columnsOf({
  step: 'Step',
  tranche: 'Tranche',
  state: 'State class',
  progress: 'State',
  back: 'Rollback class',
  rollback: 'Rollback',
  moves: ['Moves', unit],
  checkpoint: 'Checkpoint',
  base: ['Change of base', 'base'],
  quote: ['Change of quote', unit],
})

function stepRows({ plan, state }: DrawnMigration): ChartCells[] {
  const realized = realizedSteps(state)
  const checkpoints = new Set(state.checkpoints.map(({ checkpoint }) => checkpoint))
  const { baseDecimals } = plan.request.pair
  return plan.steps.map(({ step, kind, tranche, expected, pointOfNoReturn }) => {
    const isNext = state.way === 'FORWARD' && state.step === step
    const outcome = realized.get(step)?.state
    const progress = outcome ?? (isNext ? (state.inFlight?.state ?? 'NEXT') : 'PENDING')
    const worth = worthOf(expected.delta, plan)
    return [
      ...[`${step} ${textOf(kind)}`, tranche === 0 ? 'pilot' : `${tranche}`],
      ...[outcome ?? (isNext ? 'NEXT' : ''), textOf(progress)],
      ...[pointOfNoReturn ? 'NONE' : '', pointOfNoReturn ? 'none' : 'open'],
      ...[worth === 0n ? '' : quote(worth, plan)],
      checkpoints.has(step + 1) ? `${step + 1}` : '',
      ...[decimalOf(expected.delta.base, baseDecimals), quote(expected.delta.quote, plan)],
    ]
  })
}

const textOf = (code: string) => code.toLowerCase().replaceAll('_', ' ')

/** Depth after each step against its minimum: simulated as steps, realized as marks. */
function depthChart(drawn: DrawnMigration): ChartSpec {
  const floors = drawn.plan.request.constraints.minDepth
  const line = { x: 'steps', role: 'estimate' } as const
  const low = floors.length
  return {
    id: 'migration-depth',
    kind: 'xy',
    title: 'Depth after each step',
    summary: `Simulated depth after each step, realized depth of ${realizedSteps(drawn.state).size} steps, and ${low} ${low === 1 ? 'minimum' : 'minimums'}.`,
    x: steps,
    y: { label: 'Depth', unit, scale: 'linear', zero: true },
    panels: floors.map(({ bandPips, side }, index) => ({
      id: `${index}`,
      title: `Depth within ${bandPips / 10_000} %, ${textOf(side)}`,
    })),
    table: {
      columns: depthColumns,
      rows: floors.flatMap((floor, index) => depthRows(drawn, floor, `${index}`)),
    },
    series: floors.flatMap((_, index): ChartSeries[] => {
      const own = { ...line, panel: `${index}`, where: { panel: `${index}` } }
      return [
        { ...own, id: `${index} simulated`, label: 'Simulated', mark: 'step', y: ['simulated'] },
        { ...own, id: `${index} floor`, label: 'Floor', mark: 'line', role: 'limit', y: ['floor'] },
        { ...own, ...realizedSeries, id: `${index} realized` },
      ]
    }),
    empty: 'The plan has no depth floor.',
  }
}

const realizedSeries = {
  label: 'Realized on chain',
  mark: 'point',
  role: 'observed',
  y: ['realized'],
} as const
const depthColumns = columnsOf({
  panel: 'Panel',
  band: ['Distance', '%'],
  side: 'Side',
  steps: 'Completed steps',
  simulated: ['Simulated depth', unit],
  realized: ['Realized depth', unit],
  floor: ['Floor', unit],
})

function depthRows({ plan, state }: DrawnMigration, floor: Rung, panel: string): ChartCells[] {
  const realized = realizedSteps(state)
  const depthOf = (rungs: readonly Rung[]) =>
    rungs.find(({ bandPips, side }) => bandPips === floor.bandPips && side === floor.side)?.quote
  const simulated = [plan.start.depth, ...plan.steps.map(({ expected }) => expected.depth)]
  return simulated.map((rungs, index) => {
    const before = plan.steps[index - 1]
    const found = before && depthOf(realized.get(before.step)?.realized?.depth ?? [])
    return [
      ...[panel, `${floor.bandPips / 10_000}`, textOf(floor.side), `${index}`],
      ...[quote(depthOf(rungs) ?? '0', plan), found ? quote(found, plan) : null],
      quote(floor.quote, plan),
    ]
  })
}

/** Location of the value after each step: old positions, wallet, new positions. */
function fundsChart({ plan }: DrawnMigration): ChartSpec {
  const funds = fundsOf(plan)
  const isEmpty = funds[0]!.old === 0n
  const bar = { mark: 'bar', role: 'estimate', x: 'steps', stack: 'funds' } as const
  return {
    id: 'migration-funds',
    kind: 'bars',
    title: 'Location of funds',
    summary: 'Simulated value in old positions, the wallet and new positions after each step.',
    x: steps,
    y: { label: 'Value at the plan price', unit, scale: 'linear' },
    table: {
      columns: fundColumns,
      rows: funds.map(({ old, wallet, next }, index) => [
        ...[`${index}`, quote(old, plan), quote(wallet, plan), quote(next, plan)],
      ]),
    },
    series: isEmpty
      ? []
      : [
          { ...bar, id: 'old', label: 'Old positions', y: ['old'] },
          { ...bar, id: 'wallet', label: 'Wallet', y: ['wallet'] },
          { ...bar, id: 'next', label: 'New positions', y: ['next'] },
        ],
    empty: 'No funds move.',
  }
}

const fundColumns = columnsOf({
  steps: 'Completed steps',
  old: ['Old positions', unit],
  wallet: ['Wallet', unit],
  next: ['New positions', unit],
})

/** Value at the plan price, quote atoms, from the start. */
function fundsOf(plan: Plan) {
  const isOut = ({ kind, expected }: Step) =>
    (kind === 'COLLECT' || kind === 'REMOVE') && worthOf(expected.delta, plan) > 0n
  const whole = plan.steps
    .filter(isOut)
    .reduce((sum, { expected }) => sum + worthOf(expected.delta, plan), 0n)
  let [old, next] = [whole, 0n]
  const after = plan.steps.map((step) => {
    const value = worthOf(step.expected.delta, plan)
    if (isOut(step)) old -= value
    if (step.kind === 'MINT') next -= value
    return { old, wallet: worthOf(step.expected.wallet, plan), next }
  })
  return [{ old: whole, wallet: 0n, next: 0n }, ...after]
}

/** Cost of a rollback to the start from the end of every step, now and after a price move. */
function rollbackChart({ plan }: DrawnMigration): ChartSpec {
  const costs = plan.steps.flatMap(({ rollback }) => rollback.costs)
  const moves = [...new Set(costs.map(({ movePips }) => movePips))].sort((a, b) => a - b)
  const known = costs.flatMap(({ costQuote }) => costQuote ?? [])
  const largest = Math.max(...known.map((cost) => Number(quote(cost, plan))))
  const empty = 'No rollback possible.'
  return {
    id: 'migration-going-back',
    kind: 'xy',
    title: 'Cost of a rollback',
    summary:
      known.length > 0
        ? `By completed steps and price move. The largest cost is ${printValue(largest)} ${unit}.`
        : empty,
    x: steps,
    y: { label: 'Cost; below zero: gain', unit, scale: 'linear', zero: true },
    table: {
      columns: rollbackColumns(moves),
      rows: plan.steps.map(({ step, rollback }) => [
        `${step + 1}`,
        ...moves.map((movePips) => {
          const cost = rollback.costs.find((one) => one.movePips === movePips)?.costQuote ?? null
          return cost === null ? null : quote(cost, plan)
        }),
      ]),
    },
    series: moves.map((movePips) => ({
      id: `${movePips}`,
      label: moveText(movePips),
      mark: 'line',
      role: 'observed',
      x: 'steps',
      y: [`${movePips}`],
    })),
    empty,
  }
}

const rollbackColumns = (moves: readonly number[]) =>
  columnsOf({
    steps: 'Completed steps',
    ...Object.fromEntries(
      moves.map((movePips) => [`${movePips}`, [`Cost, ${moveText(movePips)}`, unit]] as const),
    ),
  })

const moveText = (movePips: number) =>
  movePips === 0
    ? 'price as now'
    : `price ${movePips > 0 ? '+' : '−'}${Math.abs(movePips) / 10_000} %`
