import { expect, it } from 'vitest'
import { outcomesOf } from './outcomes.ts'

const run = (armId: string, flowModel: string, net: string, timeInRangePips: number | null) => ({
  ...{ armId, flowModel, timeInRangePips },
  waterfallHolder: {
    ...{ net, hold: '5', exposureDrift: '2', divergenceLoss: '3', fees: '1' },
    ...{ gas: '4', rebalanceCost: '1' },
  },
})

it('puts first what gained most under its worse assumption, and leaves benchmarks out', () => {
  const runs = [
    run('narrow', 'INELASTIC_INPUT', '30', 200_000),
    run('narrow', 'PRICE_SETTING', '-7', 100_000),
    run('hold', 'INELASTIC_INPUT', '5', null),
    run('benchmark-full', 'INELASTIC_INPUT', '90', null),
  ]
  const labels = new Map([
    ['narrow', 'Narrow'],
    ['hold', 'Hold'],
  ])
  const [first, second, ...others] = outcomesOf(runs, labels)
  expect(others).toEqual([])
  expect(first).toMatchObject({ label: 'Hold', net: { low: 5n, high: 5n }, inRangePips: null })
  expect(second).toMatchObject({
    ...{ label: 'Narrow', net: { low: -7n, high: 30n }, inRangePips: 100_000 },
    ...{ curve: { low: -3n, high: -3n }, costs: { low: -5n, high: -5n } },
  })
})
