import { describe, expect, it } from 'vitest'
import { initialState, recordedClmmEvents } from '../../test/recordings.ts'
import { rule, strategy } from '../../test/strategies.ts'
import { probabilityOfOverfitting } from '../statistics/overfitting.ts'
import { runReplayStudy } from '../study/replay-study.ts'
import { searchReplay } from './search-replay.ts'
import { strategyGrid } from './strategy-grid.ts'

const definition = strategy({
  rules: [rule({ kind: 'MOVE', pips: 20_000 }, { kind: 'RECENTER', swap: true })],
})
const width = {
  path: 'positions.0.template.lowerPips',
  values: ['20000', '50000', '100000', '400000'],
}
const swaps = { path: 'rules.0.do.swap', values: ['true', 'false'] }

describe('a grid over a definition', () => {
  it('lays every combination, the last axis fastest, and leaves the definition as it was', () => {
    const { points, leftOut } = strategyGrid(definition, [width, swaps])
    expect(leftOut).toBe(0)
    expect(points).toHaveLength(8)
    expect(points[1]!.choice).toEqual({ [width.path]: '20000', [swaps.path]: 'false' })
    expect(points[1]!.definition).toMatchObject({
      positions: [{ template: { lowerPips: 20_000, upperPips: 50_000 } }],
      rules: [{ do: { kind: 'RECENTER', swap: false } }],
    })
    expect(definition.rules[0]!.do).toMatchObject({ swap: true })
  })

  it('reads a value as what the member is, amounts among them', () => {
    const axis = { path: 'guards.maxTurnoverQuotePerDay', values: ['7'] }
    expect(strategyGrid(definition, [axis]).points[0]!.definition.guards).toMatchObject({
      maxTurnoverQuotePerDay: 7n,
    })
  })

  it('leaves out what is no strategy', () => {
    const axis = { path: 'idlePips', values: ['0', '1000'] }
    expect(strategyGrid(definition, [axis])).toMatchObject({ points: [{}], leftOut: 1 })
  })

  it.each([
    [[{ path: 'positions.3.template', values: ['1'] }], 'unknown path, positions.3.template'],
    [[{ path: 'idlePips', values: ['1.5'] }], '1.5 at idlePips'],
    [[{ path: 'rules.0.do.swap', values: ['yes'] }], 'invalid value, yes'],
    [[{ path: 'constructor.name', values: ['x'] }], 'unknown path, constructor.name'],
    [[width, width], 'duplicate path'],
    [[{ path: 'idlePips', values: [] }], 'a grid of 0 points'],
    [[{ path: 'idlePips', values: Array(257).fill('0') }], 'a grid of 257 points'],
  ])('refuses a grid that cannot be laid: %j', (axes, message) => {
    expect(() => strategyGrid(definition, axes)).toThrow(message)
  })
})

describe('a search on a recording', () => {
  const folder = 'cl-weth-op-2024'
  const events = recordedClmmEvents(`${folder}/events.csv.gz`, folder).slice(0, 3000)
  const study = {
    start: initialState(folder),
    events,
    orientation: { base: 0, quote: 1 },
    capital: { base: 10n ** 20n, quote: 10n ** 18n, normalization: 'EQUAL_VALUE' as const },
    bandsPips: [20_000],
    sampleSeconds: 3600,
  }
  const found = searchReplay({ study, definition, grid: [width, swaps] })

  it('chooses the best of the first part and records every trial', () => {
    expect(found).toMatchObject({ trials: 8, leftOut: 0 })
    const best = found.scores.reduce((a, b) => (b.netVsHold > a.netVsHold ? b : a))
    expect(found.chosen.choice).toEqual(best.choice)
    expect(new Set(found.scores.map(({ netVsHold }) => netVsHold)).size).toBeGreaterThan(3)
  })

  it('chooses without a look at the rest, and judges on nothing else', () => {
    const cut = events.findIndex(({ timestamp }) => timestamp! >= found.splitAt)

    const altered = events.map((event, index) =>
      index > cut && event.type === 'Swap' ? { ...event, amount0: event.amount0 + 1n } : event,
    )
    const other = searchReplay({
      study: { ...study, events: altered },
      definition,
      grid: [width, swaps],
    })
    expect(other.scores).toEqual(found.scores)
    expect(other.overfitting).toEqual(found.overfitting)
    expect(found.judged).toMatchObject({
      state: 'COMPLETED',
      window: { fromTime: events[cut]!.timestamp, toTime: events.at(-1)!.timestamp },
      arms: [{ armId: 'chosen' }],
    })
  })

  it('reports the overfitting of these very trials', () => {
    const first = events.filter(({ timestamp }) => timestamp! < found.splitAt)
    const gains = strategyGrid(definition, [width, swaps]).points.map((point) => {
      const arms = [{ armId: 'a', kind: 'STRATEGY' as const, definition: point.definition }]
      const flowModels = ['INELASTIC_INPUT'] as const
      const report = runReplayStudy({ ...study, events: first, arms, flowModels })
      const { series } = (
        report as unknown as { arms: { results: { series: { netVsHold: string }[] }[] }[] }
      ).arms[0]!.results[0]!
      return series
        .slice(1)
        .map(({ netVsHold }, i) => Number(BigInt(netVsHold) - BigInt(series[i]!.netVsHold)))
    })
    expect(found.overfitting).toEqual(probabilityOfOverfitting(gains))
    expect(found.overfitting!.trials).toBe(8)
  })

  it('says nothing of overfitting where nothing was chosen', () => {
    const grid = [{ path: 'idlePips', values: ['0'] }]
    expect(searchReplay({ study, definition, grid }).overfitting).toBeNull()
  })

  it('refuses a split that leaves a part empty', () => {
    const grid = [width]
    expect(() => searchReplay({ study, definition, grid, splitPips: 1_000_000 })).toThrow(
      RangeError,
    )
    const one = { ...study, events: events.slice(0, 1) }
    expect(() => searchReplay({ study: one, definition, grid })).toThrow('both sides')
  })
})
