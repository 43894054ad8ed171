import { expect, test } from 'vitest'
import { runRandomStrategy } from '../../test/random-strategies.ts'

test('both waterfalls of a hundred and fifty random strategies sum exactly to the same result', () => {
  let actions = 0
  let largest = 0n
  for (let seed = 0; seed < 150; seed++) {
    const { holder: h, maker: m, net, actions: counts } = runRandomStrategy(seed)
    const costs = h.rewards - h.gas - h.rebalanceCost
    expect(h.hold - h.divergenceLoss + h.exposureDrift + h.fees + costs + h.rounding).toBe(net)
    expect(m.deltaPnl - m.lvr + m.fees + costs + m.rounding).toBe(net)
    for (const { rounding } of [h, m]) {
      const size = rounding < 0n ? -rounding : rounding
      if (size > largest) largest = size
    }
    actions += Object.values(counts.done).reduce((sum, n) => sum + n, 0)
  }
  expect(actions).toBeGreaterThan(2000)
  // Atoms of 18 decimals: what cutting some two hundred valuations leaves.
  expect(largest).toBeLessThan(200n)
})
