import { expect, it } from 'vitest'
import { movableArms, type RerunSpec, rangeOf, rerunRequest } from './rerun-terms.ts'

const near = {
  armId: 'near',
  label: 'Near',
  position: { kind: 'TICKS', tickLower: -60, tickUpper: 60 },
}
const wide = {
  armId: 'wide',
  label: 'Wide',
  position: { kind: 'RANGE', lowerPips: 300_000, upperPips: 400_000 },
}
const rules = { armId: 'rules', label: 'Rules', strategy: { id: 'strategy_1' } }
const spec: RerunSpec & { name: string; paths: number } = {
  kind: 'MONTE_CARLO',
  name: 'Two arms',
  paths: 400,
  market: {},
  arms: [near, wide, rules],
}
const drawn = { seed: `0x${'1'.repeat(64)}`, stepSeconds: 12 }

it('changes the range of one arm and keeps everything else, the paths too', () => {
  const next = rerunRequest(spec, 'near', { lowerPips: 100_000, upperPips: 200_000 }, drawn)
  expect(next).toEqual({
    ...spec,
    ...drawn,
    arms: [
      {
        armId: 'near',
        label: '−10 % to +20 %',
        position: { kind: 'RANGE', lowerPips: 100_000, upperPips: 200_000 },
      },
      wide,
      rules,
    ],
  })
  expect(rerunRequest(spec, 'near', { lowerPips: 1, upperPips: 2 }, null)).not.toHaveProperty(
    'seed',
  )
})

it('moves positions in markets that know ranges, from where they are', () => {
  expect(movableArms(spec).map(({ armId }) => armId)).toEqual(['near', 'wide'])
  expect(movableArms({ ...spec, market: { inline: { kind: 'UNISWAP_V2' } } })).toEqual([])
  expect(rangeOf(wide)).toEqual({ lowerPips: 300_000, upperPips: 400_000 })
  expect(rangeOf(near)).toEqual({ lowerPips: 200_000, upperPips: 250_000 })
})
